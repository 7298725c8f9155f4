internal import Glibc
internal import SondeEngine
internal import SondeGateways

/// Where this process makes its control socket.
enum ControlSockets {
    /// The path; nil: nowhere.
    ///
    /// Without a configuration file nothing is written, no socket either, unless one is requested by path.
    static func path(_ setting: AgentSettings.ControlSocket, hasConfigurationFile: Bool) -> String? {
        switch setting {
        case .none: return nil
        case .path(let path): return path
        case .standard:
            guard hasConfigurationFile else { return nil }
            return ControlSocketPath.standard(
                ControlSocketPath.Surroundings(
                    environment: ProcessEnvironmentReader(),
                    isRoot: geteuid() == 0,
                    isWritableDirectory: { access($0, W_OK | X_OK) == 0 }
                )
            )
        }
    }
}

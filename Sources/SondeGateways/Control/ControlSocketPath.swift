public import SondeEngine

/// The path of the control socket when the configuration sets none.
public enum ControlSocketPath {
    /// The directory that the service's unit makes, and that root's own agent uses.
    public static let systemDirectory = "/run/sonde"
    private static let fileName = "sonde.sock"

    /// The inputs of the choice.
    public struct Surroundings {
        /// RUNTIME_DIRECTORY, XDG_RUNTIME_DIR.
        public var environment: any EnvironmentReader
        /// Whether the process runs as root.
        public var isRoot: Bool
        /// Whether a path is a directory that the process may write to.
        public var isWritableDirectory: (String) -> Bool

        /// Surroundings.
        public init(
            environment: any EnvironmentReader,
            isRoot: Bool,
            isWritableDirectory: @escaping (String) -> Bool
        ) {
            self.environment = environment
            self.isRoot = isRoot
            self.isWritableDirectory = isWritableDirectory
        }
    }

    /// Where an agent that was started with a configuration file makes its socket; nil: nowhere.
    ///
    /// The directory that systemd made for the unit is first, then `/run/sonde` for root and for users who may write
    /// to it, then the user's own runtime directory.
    public static func standard(_ surroundings: Surroundings) -> String? {
        if let directory = unitDirectory(surroundings.environment) { return "\(directory)/\(fileName)" }
        if surroundings.isRoot || surroundings.isWritableDirectory(systemDirectory) {
            return "\(systemDirectory)/\(fileName)"
        }
        return userDirectory(surroundings.environment).map { "\($0)/\(fileName)" }
    }

    /// Where a command searches for an agent, best first.
    public static func candidates(_ environment: any EnvironmentReader) -> [String] {
        let directories = [unitDirectory(environment), systemDirectory, userDirectory(environment)]
        // Under the unit of the package the first two are the same.
        return directories.compactMap(\.self).reduce(into: []) { paths, directory in
            let path = "\(directory)/\(fileName)"
            if !paths.contains(path) { paths.append(path) }
        }
    }

    /// The same for an agent whose configuration is known.
    public static func candidates(
        _ setting: AgentSettings.ControlSocket, _ environment: any EnvironmentReader
    ) -> [String] {
        switch setting {
        case .path(let path): [path]
        case .none: []
        case .standard: candidates(environment)
        }
    }

    /// systemd.exec(5): several directories are separated by colons.
    private static func unitDirectory(_ environment: any EnvironmentReader) -> String? {
        environment.value(of: "RUNTIME_DIRECTORY").flatMap { text in
            text.split(separator: ":").first.map(String.init)
        }.flatMap(absolute)
    }

    private static func userDirectory(_ environment: any EnvironmentReader) -> String? {
        environment.value(of: "XDG_RUNTIME_DIR").flatMap(absolute)
    }

    private static func absolute(_ path: String) -> String? {
        path.hasPrefix("/") ? path : nil
    }
}

public import SondeDomain

extension SondeError {
    /// A failure around the control socket, with the recovery of its definition.
    init(control code: ErrorCode, _ message: String, cause: [String] = []) {
        let definition = ErrorDefinition.all.first { $0.code == code }
        self.init(
            code,
            stage: .control,
            class: definition?.failureClass ?? .programmer,
            message: message,
            recovery: definition.map { [.advise($0.recovery)] } ?? [],
            cause: cause
        )
    }

    /// A configuration has no control socket.
    public static let noControlSocket = SondeError(
        .controlNotAnswered,
        stage: .control,
        class: .transient,
        message: "this configuration has no control socket",
        recovery: [.advise("Set agent.control_socket, or name the socket with --socket.")]
    )
}

public import SondeDomain

extension SondeError {
    /// A failure around the control socket, with the recovery of its definition.
    init(control code: ErrorCode, _ message: String, cause: [String] = []) {
        self.init(defined: code, stage: .control, message, cause: cause)
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

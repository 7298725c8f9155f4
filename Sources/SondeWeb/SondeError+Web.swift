internal import SondeDomain

extension SondeError {
    /// A failure of the server, with the recovery of its definition.
    init(web code: ErrorCode, _ message: String) {
        let definition = ErrorDefinition.all.first { $0.code == code }
        self.init(
            code, stage: .start, class: definition?.failureClass ?? .configuration, message: message,
            recovery: definition.map { [.advise($0.recovery)] } ?? [])
    }
}

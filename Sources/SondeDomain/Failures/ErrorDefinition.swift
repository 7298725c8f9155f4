/// One line of the list of errors, docs/errors.md.
public struct ErrorDefinition: Hashable, Sendable {
    /// The stable code.
    public let code: ErrorCode
    /// What it usually means for the agent.
    public let failureClass: FailureClass
    /// What happened, in one sentence.
    public let meaning: String
    /// What a person can do, in one sentence.
    public let recovery: String

    /// A definition.
    public init(_ code: ErrorCode, _ failureClass: FailureClass, meaning: String, recovery: String) {
        self.code = code
        self.failureClass = failureClass
        self.meaning = meaning
        self.recovery = recovery
    }
}

extension ErrorDefinition {
    /// Every error of the agent itself; plugins list theirs in their descriptors.
    public static let all: [ErrorDefinition] =
        configuration + remote + loading + programs + engine + spool + history + control + inspection + recording
        + commandLine + web
}

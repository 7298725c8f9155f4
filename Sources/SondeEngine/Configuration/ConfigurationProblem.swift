public import SondeDomain

/// Something that a person should change in the configuration.
public struct ConfigurationProblem: Error, Hashable, Sendable {
    /// How much it matters.
    public enum Severity: String, Hashable, Sendable {
        /// The agent does not start with it.
        case error
        /// The agent starts all the same.
        case warning
    }

    /// How much it matters.
    public let severity: Severity
    /// The stable code.
    public let code: ErrorCode
    /// Where it stands.
    public let mark: SourceMark
    /// What is wrong, without a full stop; never a secret.
    public let message: String
    /// What to do about it: `did you mean 'interval'?`.
    public let suggestion: String?

    /// A problem.
    public init(
        _ code: ErrorCode,
        at mark: SourceMark,
        _ message: String,
        suggestion: String? = nil,
        severity: Severity = .error
    ) {
        self.severity = severity
        self.code = code
        self.mark = mark
        self.message = message
        self.suggestion = suggestion
    }
}

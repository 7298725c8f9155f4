public import SondeDomain

/// An error or a warning about the configuration.
public struct ConfigurationProblem: Error, Hashable, Sendable {
    /// Its severity.
    public enum Severity: String, Hashable, Sendable {
        /// The agent does not start with it.
        case error
        /// The agent starts nevertheless.
        case warning
    }

    /// Its severity.
    public let severity: Severity
    /// The stable code.
    public let code: ErrorCode
    /// Its place.
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

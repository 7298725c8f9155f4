/// The one shape of a failure, everywhere.
public struct SondeError: Error, Hashable, Sendable {
    /// Where in the life of a sample it happened.
    public enum Stage: String, Hashable, Sendable {
        /// Reading and checking the configuration.
        case configuration
        /// Finding and loading plugins.
        case loading
        /// Opening what a plugin needs.
        case start
        /// Reading from a source.
        case collect
        /// Between source and sink.
        case pipeline
        /// Handing a batch to a sink.
        case deliver
        /// Reading a file offline.
        case inspect
        /// Keeping and reading history.
        case history
        /// Asking a running agent.
        case control
        /// Stopping.
        case shutdown
    }

    /// Stable and documented: `SND-<AREA><nnn>`.
    public let code: ErrorCode
    /// Where it happened.
    public let stage: Stage
    /// What it means.
    public let failureClass: FailureClass
    /// One sentence: what failed, with which value.
    ///
    /// Never a secret.
    public let message: String
    /// What happens now, and what a person can do.
    public let recovery: [RecoveryAction]
    /// The `id` of the source or sink concerned, if one is.
    public let component: String?
    /// The option at fault, `tls.ca_file`, if one is.
    public let optionPath: String?
    /// What the other side asked to wait.
    public let retryAfter: Nanoseconds?
    /// What led to it, outermost first.
    public let cause: [String]

    /// An error.
    public init(
        _ code: ErrorCode,
        stage: Stage,
        class failureClass: FailureClass,
        message: String,
        recovery: [RecoveryAction] = [],
        component: String? = nil,
        optionPath: String? = nil,
        retryAfter: Nanoseconds? = nil,
        cause: [String] = []
    ) {
        self.code = code
        self.stage = stage
        self.failureClass = failureClass
        self.message = message
        self.recovery = recovery
        self.component = component
        self.optionPath = optionPath
        self.retryAfter = retryAfter
        self.cause = cause
    }
}

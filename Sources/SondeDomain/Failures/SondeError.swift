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
    public private(set) var failureClass: FailureClass
    /// One sentence: what failed, with which value.
    ///
    /// Never a secret.
    public private(set) var message: String
    /// What happens now, and what a person can do.
    public private(set) var recovery: [RecoveryAction]
    /// The `id` of the source or sink concerned, if one is.
    public private(set) var component: String?
    /// The option at fault, `tls.ca_file`, if one is.
    public let optionPath: String?
    /// The place of that option in the configuration, if it is there.
    public private(set) var place: SourceMark?
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

    /// A failure with the class and the advice of its definition; of class programmer, without advice, where there is none.
    public init(
        defined code: ErrorCode,
        stage: Stage,
        _ message: String,
        retryAfter: Nanoseconds? = nil,
        cause: [String] = []
    ) {
        let definition = ErrorDefinition.all.first { $0.code == code }
        self.init(
            code, stage: stage, class: definition?.failureClass ?? .programmer, message: message,
            recovery: definition.map { [.advise($0.recovery)] } ?? [], retryAfter: retryAfter, cause: cause)
    }
}

extension SondeError {
    /// What a person can try, one sentence each.
    public var advice: [String] {
        recovery.compactMap { action in
            guard case .advise(let advice) = action else { return nil }
            return advice
        }
    }

    /// The same failure with one more recovery action, before the advice.
    public func adding(_ action: RecoveryAction) -> SondeError {
        var error = self
        error.recovery.insert(action, at: 0)
        return error
    }

    /// The same failure with advice, unless it has some.
    public func advising(_ advice: String?) -> SondeError {
        guard let advice, !advice.isEmpty, !recovery.contains(where: \.isAdvice) else { return self }
        var error = self
        error.recovery.append(.advise(advice))
        return error
    }

    /// The same failure of a batch that cannot be cut any smaller: it will never be accepted.
    public var asPermanentData: SondeError {
        var error = self
        error.failureClass = .permanentData
        return error
    }

    /// The same failure, of a component.
    public func of(_ component: String) -> SondeError {
        var error = self
        error.component = component
        return error
    }

    /// The same failure in other words.
    public func saying(_ message: String) -> SondeError {
        var error = self
        error.message = message
        return error
    }

    /// The same failure without the secrets of a mask.
    public func masking(_ mask: SecretMask) -> SondeError {
        var error = self
        error.message = mask.masking(message)
        error.recovery = recovery.map { if case .advise(let text) = $0 { .advise(mask.masking(text)) } else { $0 } }
        return error
    }

    /// The same failure, with the place of the option at fault.
    public func at(_ place: SourceMark?) -> SondeError {
        var error = self
        error.place = place
        return error
    }
}

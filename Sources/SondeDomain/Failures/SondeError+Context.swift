extension SondeError {
    /// The same failure with one more recovery action, before the advice.
    public func adding(_ action: RecoveryAction) -> SondeError {
        SondeError(
            code,
            stage: stage,
            class: failureClass,
            message: message,
            recovery: [action] + recovery,
            component: component,
            optionPath: optionPath,
            retryAfter: retryAfter,
            cause: cause
        )
    }

    /// The same failure of a batch that cannot be cut any smaller: it will never be accepted.
    public var asPermanentData: SondeError {
        SondeError(
            code,
            stage: stage,
            class: .permanentData,
            message: message,
            recovery: recovery,
            component: component,
            optionPath: optionPath,
            retryAfter: retryAfter,
            cause: cause
        )
    }

    /// The same failure, told of a component.
    public func of(_ component: String) -> SondeError {
        SondeError(
            code,
            stage: stage,
            class: failureClass,
            message: message,
            recovery: recovery,
            component: component,
            optionPath: optionPath,
            retryAfter: retryAfter,
            cause: cause
        )
    }

    /// The same failure in other words.
    public func saying(_ message: String) -> SondeError {
        SondeError(
            code,
            stage: stage,
            class: failureClass,
            message: message,
            recovery: recovery,
            component: component,
            optionPath: optionPath,
            retryAfter: retryAfter,
            cause: cause
        )
    }
}

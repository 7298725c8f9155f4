public import SondeDomain

extension SondeError {
    /// A failure of a class, for a test.
    public static func fake(
        _ failureClass: FailureClass,
        code: String = "FAKE-001",
        stage: Stage = .deliver,
        retryAfter: Nanoseconds? = nil
    ) -> SondeError {
        SondeError(
            ErrorCode(code),
            stage: stage,
            class: failureClass,
            message: "the test wants it",
            component: "test",
            retryAfter: retryAfter
        )
    }
}

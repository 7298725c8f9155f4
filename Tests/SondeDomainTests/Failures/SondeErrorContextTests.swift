import SondeDomain
import Testing

@Suite struct SondeErrorContextTests {
    private let error = SondeError(
        .spoolWriteFailed, stage: .deliver, class: .tooLarge, message: "refused", recovery: [.advise("look")],
        component: "sink", optionPath: "tls.ca_file", retryAfter: .seconds(7), cause: ["eof"])

    /// The same failure but for what is given.
    private func expected(
        class failureClass: FailureClass = .tooLarge,
        message: String = "refused",
        recovery: [RecoveryAction] = [.advise("look")],
        component: String = "sink"
    ) -> SondeError {
        SondeError(
            .spoolWriteFailed, stage: .deliver, class: failureClass, message: message, recovery: recovery,
            component: component, optionPath: "tls.ca_file", retryAfter: .seconds(7), cause: ["eof"])
    }

    @Test func toldOfAComponentItIsTheSameFailure() {
        #expect(error.of("central") == expected(component: "central"))
    }

    @Test func inOtherWordsItIsTheSameFailure() {
        #expect(error.saying("gone") == expected(message: "gone"))
    }

    @Test func ofABatchThatCannotBeCutItIsPermanent() {
        #expect(error.asPermanentData == expected(class: .permanentData))
    }

    @Test func anActionComesBeforeTheAdvice() {
        #expect(error.adding(.split) == expected(recovery: [.split, .advise("look")]))
    }
}

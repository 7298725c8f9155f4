import SondeDomain
import SondeEngine
import Testing

@Suite struct FindingTests {
    private let error = SondeError(
        ErrorCode("SND-TST001"), stage: .deliver, class: .transient, message: "nobody answers",
        recovery: [.retry(after: .seconds(1)), .advise("look at the address"), .advise("look at the port")],
        component: "central")

    @Test func aFailureIsAProblemWithItsAdviceAsFixes() {
        let finding = Finding(.sink, of: error)
        #expect(finding.area == .sink && finding.severity == .problem)
        #expect(finding.message == "nobody answers")
        #expect(finding.component == "central" && finding.code == ErrorCode("SND-TST001"))
        #expect(
            finding.fixes == [
                Finding.Fix(.advice, ["look at the address"]), Finding.Fix(.advice, ["look at the port"]),
            ])
    }

    @Test func aFailureIsAsSevereAsItsFinderSays() {
        #expect(Finding(.agent, of: error, severity: .unknown).severity == .unknown)
    }
}

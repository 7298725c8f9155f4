import Testing

@testable import DNSLogPlugin

/// Forms of lines of unbound that the recorded logs do not have, as it wrote them in a laboratory.
@Suite struct UnboundVariantTests {
    private let question = "192.0.2.1 a.example. A IN"

    private func unbound(_ lines: String..., identity: String = "unbound[1:0]") -> CountedLog {
        CountedLog(lines.map { "[1795373840] \(identity) \($0)" })
    }

    @Test func unboundCutsANameOf255OctetsAndItsQueryIsAnsweredNonetheless() {
        let name = Array(repeating: String(repeating: "a", count: 63), count: 3).joined(separator: ".") + ".b.&"
        let question = "192.0.2.1 \(name) A IN"
        let log = unbound("query: \(question)", "reply: \(question) NXDOMAIN 0.000000 1 271")
        #expect(log.queries == 1 && log.codes == ["NXDOMAIN": 1] && log.unanswered == 0 && log.unparsed == 0)
    }

    @Test(arguments: ["-1.999877", "-0.000001", "18446744073709.551615", "7200.000000", "999999999.000000"])
    func aTimeThatNoAnswerCanTakeIsNotCountedAndTheAnswerIs(_ seconds: String) {
        let log = unbound("query: \(question)", "reply: \(question) NOERROR \(seconds) 0 60")
        #expect(log.codes == ["NOERROR": 1] && log.unanswered == 0 && log.unparsed == 0)
        #expect(log.latencies == 0)
    }

    @Test(arguments: ["", "-", "1.", "x", "1.2.3", "--1"])
    func whatIsNoTimeMakesNoAnswer(_ seconds: String) {
        let log = unbound("query: \(question)", "reply: \(question) NOERROR \(seconds) 0 60")
        #expect(log.latencies == 0 && log.responses == (seconds == "1." ? 1 : 0))
    }

    @Test(arguments: ["resolver-1[30649:0]", "my resolver-1[30649:1f]", "unbound [x][30649:0]"])
    func unboundMayGoByAnotherName(_ identity: String) {
        let log = unbound(
            "notice: init module 0: iterator", "query: \(question)", "reply: \(question) NOERROR 0.000294 0 60",
            identity: identity)
        #expect(log.queries == 1 && log.responses == 1 && log.unparsed == 0)
    }

    @Test(arguments: [
        "Nov 21 01:05:39 resolver-1[7:0]", "Nov 21 01:05:39 host resolver-1[7]: [7:0]",
        "Nov 21 01:05:39 host resolver-1: [7:0]", "<30>1 2026-11-21T01:05:39Z host resolver-1 7 - - [7:0]",
    ])
    func unboundMayGoByAnotherNameThroughSyslog(_ head: String) {
        let log = CountedLog([
            "\(head) query: \(question)", "\(head) reply: \(question) NOERROR 0.000294 0 60",
        ])
        #expect(log.format == .unbound && log.queries == 1 && log.responses == 1)
    }

    @Test func aProgramThatNamesAnotherProcessIsNotUnbound() {
        let log = CountedLog([
            "Nov 21 01:05:39 host unbound[7]: [7:0] query: 192.0.2.1 a.example. A IN",
            "Nov 21 01:05:39 host evil[8]: [7:0] query: 192.0.2.1 b.example. A IN",
        ])
        #expect(log.queries == 1 && log.unparsed == 0)
    }
}

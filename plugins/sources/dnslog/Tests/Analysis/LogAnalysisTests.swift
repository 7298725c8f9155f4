import Testing

@testable import DNSLogPlugin

@Suite struct LogAnalysisTests {
    private let query = "query: 192.0.2.1 a.example. A IN"
    private let reply = "reply: 192.0.2.1 a.example. A IN NOERROR 0.000294 0 60"

    private func unbound(_ lines: [(String, String)]) -> CountedLog {
        CountedLog(lines.map { time, text in "\(time) unbound[1:0] \(text)" })
    }

    @Test func aTimeWithoutAYearBeginsAgainAtNewYear() {
        let log = unbound([
            ("Dec 31 23:59:58", query), ("Jan  1 00:00:01", reply), ("Jan  1 00:00:02", query),
            ("Jan  1 00:00:03", reply),
        ])
        #expect(log.queries == 2)
        #expect(log.responses == 2)
        #expect(log.unanswered == 0)
        #expect(log.unasked == 0)
    }

    @Test(arguments: ["Nov 21 00:00:00", "Nov 21 05:00:00", "Nov 22 01:00:00"])
    func aClockThatIsSetEndsNoQuery(_ later: String) {
        let log = unbound([("Nov 21 01:00:00", query), (later, reply)])
        #expect(log.responses == 1)
        #expect(log.unanswered == 0)
        #expect(log.unasked == 0)
    }

    @Test func aQueryThatWaitedForTheTimeoutIsUnanswered() {
        var lines = [("Nov 21 01:00:00", query)]
        for second in 10...30 { lines.append(("Nov 21 01:00:\(second)", "info: x")) }
        lines.append(("Nov 21 01:00:31", query))
        lines.append(("Nov 21 01:00:31", reply))
        let log = unbound(lines)
        #expect(log.queries == 2)
        #expect(log.responses == 1)
        #expect(log.unanswered == 1)
        #expect(log.failingNames == ["a.example": 1])
    }

    @Test func aLogMaySwitchItsFormatMidway() {
        let log = CountedLog([
            "[1795223093] unbound[1:0] \(query)", "[1795223093] unbound[1:0] \(reply)",
            "Nov 21 01:06:03 dnsmasq[1]: query[A] b.example from 192.0.2.1",
            "21-Nov-2026 01:08:58.981 client @0x7f 192.0.2.1#53 (c.example): query: c.example IN A + (192.0.2.2)",
            "Nov 21 01:06:04 dnsmasq[1]: query[A] d.example from 192.0.2.1",
        ])
        #expect(log.queries == 4)
        #expect(log.unparsed == 0)
        #expect(log.lines == 5)
    }

    @Test func aFormatThatIsSetIsKept() {
        var settings = LogSettings.forTests
        settings.format = .unbound
        let log = CountedLog(["Nov 21 01:06:03 dnsmasq[1]: query[A] b.example from 192.0.2.1", "garbage"], settings)
        #expect(log.queries == 0)
        #expect(log.lines == 2)
        #expect(log.unparsed == 2)
    }

    @Test func theTableOfWaitingQueriesIsBoundedAndCountsWhatItForgets() {
        let lines = (0..<(PendingQueries.limit + 10)).map { number in
            "[1795223093] unbound[1:0] query: 192.0.2.1 b\(number).example. A IN"
        }
        let log = CountedLog(lines + ["[1795223093] unbound[1:0] \(reply)"])
        #expect(log.evicted == 10)
        #expect(log.unanswered == UInt64(PendingQueries.limit))
        #expect(log.unasked == 1)
    }

    @Test(
        arguments: [
            (["error", "unanswered"], ["refused": 1, "servfail": 1, "unanswered": 1]), (["denial"], ["nxdomain": 1]),
            (["SERVFAIL", "nxdomain"], ["servfail": 1, "nxdomain": 1]),
        ] as [([String], [String: UInt64])])
    func whatIsAFailureCanBeChosen(_ names: [String], _ expected: [String: UInt64]) throws {
        var settings = LogSettings.forTests
        settings.failures = try FailureRule.parse(names).get()
        let pipeline = LogPipeline(settings, seed: 1)
        let stream = pipeline.open()
        for line in [
            query, "reply: 192.0.2.1 b.example. A IN NXDOMAIN 0.000294 0 60",
            "reply: 192.0.2.1 c.example. A IN SERVFAIL 0.000294 0 60",
            "reply: 192.0.2.1 d.example. A IN REFUSED 0.000294 0 60",
        ] {
            Array("[1795223093] unbound[1:0] \(line)".utf8).withUnsafeBytes { pipeline.take($0, stream) }
        }
        pipeline.finish()
        var counts: [String: UInt64] = [:]
        pipeline.withEach { for (type, count) in $0.failures { counts[type] = count } }
        #expect(counts == expected)
    }

    @Test func aWordThatIsNoFailureIsRefused() {
        guard case .failure(let unknown) = FailureRule.parse(["error", "timeout"]) else {
            Issue.record("'timeout' was accepted")
            return
        }
        #expect(unknown.name == "timeout")
    }
}

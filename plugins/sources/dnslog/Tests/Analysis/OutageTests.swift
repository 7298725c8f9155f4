import SondeDomain
import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A resolver that answers nothing any more.
@Suite struct OutageTests {
    @Test func queriesWithoutAnAnswerAreFailuresAlthoughNoLineComes() throws {
        let folder = try LogFolder()
        let path = folder.file("q.log")
        try folder.append("", to: "q.log")
        let source = try RunningSource(["path": .string(path), "timeout": .duration(.seconds(1))])
        try source.run { source.sum("sonde.dns.log.file.open") == 1 }
        for number in 1...3 {
            try folder.append(
                "Nov 21 01:06:03 dnsmasq[1]: \(number) 192.0.2.1/5 query[A] a\(number).example from 192.0.2.1\n",
                to: "q.log")
        }
        try source.run { source.sum("sonde.dns.resolver.query.unanswered") == 3 }
        #expect(source.sum("sonde.dns.resolver.failure.count", ["error.type": "unanswered"]) == 3)
    }

    @Test func aLateAnswerIsAnAnswerAndTheFailureStaysOne() {
        var log = FollowedLog()
        log.take("[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN")
        log.pass(seconds: 10)
        log.take("[1795223104] unbound[1:0] reply: 192.0.2.1 a.example. A IN SERVFAIL 11.000000 0 60")
        #expect(log.count { $0.responses } == 1 && log.count { $0.unanswered } == 1 && log.count { $0.unasked } == 0)
        #expect(log.failures == ["unanswered": 1])
        log.take("[1795223105] unbound[1:0] reply: 192.0.2.1 a.example. A IN SERVFAIL 12.000000 0 60")
        #expect(log.count { $0.unasked } == 1)
        #expect(log.failures == ["unanswered": 1, "servfail": 1])
    }

    @Test func whereSilenceIsNoFailureALateErrorIsOne() throws {
        var settings = LogSettings.forTests
        settings.failures = try FailureRule.parse(["error"]).get()
        var log = FollowedLog(settings)
        log.take("[1795223093] unbound[1:0] query: 192.0.2.1 a.example. A IN")
        log.pass(seconds: 10)
        log.take("[1795223104] unbound[1:0] reply: 192.0.2.1 a.example. A IN SERVFAIL 11.000000 0 60")
        #expect(log.failures == ["servfail": 1])
    }
}

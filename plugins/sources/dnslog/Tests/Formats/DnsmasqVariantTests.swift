import Testing

@testable import DNSLogPlugin

/// Forms of dnsmasq's lines that the recorded logs do not have: as dnsmasq 2.90 wrote them in a laboratory, and Pi-hole's.
@Suite struct DnsmasqVariantTests {
    private func extra(_ lines: [String], query: String = "query[A] a.example from 192.0.2.1") -> CountedLog {
        let tag = "Nov 22 18:55:30 dnsmasq[9]: "
        let lines = ([query] + lines).map { $0.hasPrefix("!") ? "\($0.dropFirst())" : "7 192.0.2.1/5353 \($0)" }
        return CountedLog(lines.map { tag + $0 })
    }

    private func plain(_ lines: [String]) -> CountedLog {
        CountedLog(lines.map { "Nov 22 18:55:30 dnsmasq[9]: " + $0 })
    }

    // MARK: remarks in brackets

    @Test(
        arguments: [
            ("reply a.example is NXDOMAIN (DNSSEC signed)", "NXDOMAIN", ResponseClass.denial),
            ("cached a.example is NXDOMAIN (DNSSEC signed)", "NXDOMAIN", .denial),
            ("reply a.example is NODATA-IPv4 (DNSSEC signed)", "NOERROR", .denial),
            ("reply a.example is NODATA (EDE: stale answer)", "NOERROR", .denial),
            ("reply a.example is NXDOMAIN (EDE: NSEC(3) missing)", "NXDOMAIN", .denial),
            ("reply error is SERVFAIL (EDE: network error)", "SERVFAIL", .error),
            ("config error is REFUSED (EDE: not ready)", "REFUSED", .error),
            ("reply a.example is 192.0.2.9 (DNSSEC signed)", "NOERROR", .success),
        ])
    func aRemarkInBracketsChangesNoOutcome(_ line: String, _ code: String, _ kind: ResponseClass) {
        let log = extra([line])
        #expect(log.codes == [code: 1] && log.classes == [kind: 1])
        #expect(log.unanswered == 0 && log.unparsed == 0)
    }

    @Test func anAliasThatIsSignedWaitsForItsTarget() {
        let log = extra(["reply a.example is <CNAME> (DNSSEC signed)", "reply b.example is NXDOMAIN (DNSSEC signed)"])
        #expect(log.codes == ["NXDOMAIN": 1])
    }

    @Test func aRemarkInBracketsHidesNoDenialOfAPlainLog() {
        let log = plain([
            "query[A] a.example from 192.0.2.1", "reply a.example is NXDOMAIN (DNSSEC signed)",
            "reply a.example is 192.0.2.9 (DNSSEC signed)", "cached a.example is NODATA-IPv6 (EDE: stale answer)",
        ])
        #expect(log.codes == ["NXDOMAIN": 1, "unknown": 1] && log.classes == [.denial: 2])
    }

    // MARK: DNSSEC and rebinding

    @Test(arguments: ["BOGUS (EDE: NSEC(3) missing)", "BOGUS", "ABANDONED (EDE: other)"])
    func aBogusAnswerIsAServerFailureOfWhichNoServerIsGuilty(_ verdict: String) {
        let log = extra([
            "forwarded a.example to 192.0.2.53#53", "!8 dnssec-query[DS] example to 192.0.2.53#53",
            "validation a.example is \(verdict)",
        ])
        #expect(log.codes == ["SERVFAIL": 1] && log.failingNames == ["a.example": 1])
        #expect(log.unanswered == 0 && log.upstreams.isEmpty && log.unparsed == 0)
    }

    @Test(arguments: ["SECURE", "INSECURE", "BOGUS.example is SECURE"])
    func anAnswerThatIsNotBogusIsTakenFromItsOwnLine(_ verdict: String) {
        let log = extra(["validation result is \(verdict)", "reply a.example is 192.0.2.9"])
        #expect(log.codes == ["NOERROR": 1] && log.unanswered == 0)
    }

    @Test func anAnswerThatIsWithheldAgainstRebindingHasNoRecords() {
        let log = extra(["forwarded a.example to 192.0.2.53#53", "!possible DNS-rebind attack detected: a.example"])
        #expect(log.codes == ["NOERROR": 1] && log.classes == [.denial: 1])
        #expect(log.unanswered == 0 && log.upstreams.isEmpty)
    }

    @Test func ofTwoQueriesForANameTheOneWithoutAnAnswerIsTheOneThatWasWithheld() {
        let other = "!8 192.0.2.1/5353 "
        let log = extra([
            "forwarded a.example to 192.0.2.53#53", other + "query[AAAA] a.example from 192.0.2.1",
            other + "forwarded a.example to 192.0.2.53#53", "!possible DNS-rebind attack detected: a.example",
            other + "reply a.example is 2001:db8::1",
        ])
        #expect(log.classes == [.denial: 1, .success: 1] && log.unanswered == 0)
    }

    @Test func anAnswerThatIsWithheldBehindAnAliasIsThatOfTheLineBefore() {
        let log = extra(["reply a.example is <CNAME>", "!possible DNS-rebind attack detected: b.example"])
        #expect(log.classes == [.denial: 1] && log.unanswered == 0)
    }

    @Test func anAnswerThatIsWithheldForAnOddNameIsThatOfAnOddName() {
        let log = extra(
            [
                "forwarded <name unprintable> to 192.0.2.53#53", "!possible DNS-rebind attack detected: x",
            ], query: "query[A] <name unprintable> from 192.0.2.1")
        #expect(log.classes == [.denial: 1] && log.unanswered == 0 && log.upstreams.isEmpty)
    }

    @Test func anAnswerThatIsWithheldFromNobodyWhoWaitsIsNotCounted() {
        let log = extra(["!possible DNS-rebind attack detected: c.example", "reply a.example is 192.0.2.9"])
        #expect(log.codes == ["NOERROR": 1] && log.responses == 1)
    }

    @Test func aPlainLogTellsThatAnAnswerWasWithheldAndNotItsCode() {
        let log = plain(["query[A] a.example from 192.0.2.1", "possible DNS-rebind attack detected: a.example"])
        #expect(log.codes == ["unknown": 1] && log.classes == [.denial: 1])
    }

    // MARK: late answers

    @Test(arguments: ["reply error is SERVFAIL", "config error is REFUSED"])
    func aFailureThatComesLateIsNoSecondFailure(_ line: String) throws {
        var log = FollowedLog()
        log.take("Nov 22 18:55:30 dnsmasq[9]: 7 192.0.2.1/5353 query[A] a.example from 192.0.2.1")
        log.pass(seconds: 10)
        #expect(log.failures == ["unanswered": 1])
        log.take("Nov 22 18:55:41 dnsmasq[9]: 7 192.0.2.1/5353 \(line)")
        log.take("Nov 22 18:55:41 dnsmasq[9]: 7 192.0.2.1/5353 \(line)")
        #expect(log.failures == ["unanswered": 1])
        #expect(log.count { $0.responses } == 1 && log.count { $0.unasked } == 0)
    }

    @Test func aSecondServersFailureIsNoSecondFailure() {
        let log = extra([
            "forwarded a.example to 192.0.2.53#53", "reply error is REFUSED", "forwarded a.example to 192.0.2.54#53",
            "reply error is REFUSED",
        ])
        #expect(log.codes == ["REFUSED": 1] && log.unasked == 0)
    }

    // MARK: serial numbers

    @Test(arguments: [
        "4web kernel: query[A] b.example from 192.0.2.1", "4web query[A] query[A] b.example from 192.0.2.1",
        "4web 192.0.2.1 query[A] b.example from 192.0.2.1", "4x4 192.0.2.1/5 query[A] b.example from 192.0.2.1",
        "4 /x query[A] b.example from 192.0.2.1", "4 192.0.2.1/123456 query[A] b.example from 192.0.2.1",
        "99999999999 192.0.2.1/5 query[A] b.example from 192.0.2.1",
    ])
    func whatOnlyBeginsLikeASerialNumberIsNoQuery(_ line: String) {
        var settings = LogSettings.forTests
        settings.format = .dnsmasq
        #expect(CountedLog(["Nov 22 18:55:30 \(line)", line], settings).queries == 0)
    }

    @Test func aQueryOfDnsmasqItselfIsNone() {
        let log = extra(["!8 dnssec-query[DS] query[A] b.example from 192.0.2.9 to 192.0.2.53#53"])
        #expect(log.queries == 1 && log.unparsed == 0)
    }

    @Test(arguments: ["1", "12345678", "123456789", "4294967295"])
    func aSerialNumberHasUpToTenDigits(_ number: String) {
        let head = "Nov 22 18:55:30 4web dnsmasq[9]: \(number) 2001:db8::1/53 "
        let log = CountedLog([head + "query[A] a.example from 2001:db8::1", head + "cached a.example is 192.0.2.9"])
        #expect(log.queries == 1 && log.cached == 1 && log.unanswered == 0)
    }

    // MARK: Pi-hole

    @Test(
        arguments: [
            ("gravity blocked a.example is 0.0.0.0", "NOERROR"), ("exactly denied a.example is 0.0.0.0", "NOERROR"),
            ("regex denied a.example is NXDOMAIN", "NXDOMAIN"), ("special domain a.example is NXDOMAIN", "NXDOMAIN"),
            ("Pi-hole hostname a.example is 192.0.2.9", "NOERROR"), ("cached-stale a.example is 192.0.2.9", "NOERROR"),
            ("Rate-limiting a.example is REFUSED (EDE: blocked)", "REFUSED"),
            ("gravity blocked (CNAME) a.example is NODATA", "NOERROR"),
            ("regex denied a.example is REFUSED", "REFUSED"),
            ("reply a.example is blocked during CNAME inspection", "unknown"),
        ])
    func piHoleHasWordsOfItsOwn(_ line: String, _ code: String) {
        let log = extra([line])
        #expect(log.codes == [code: 1] && log.unanswered == 0 && log.unparsed == 0)
    }

    @Test func piHoleRefusesInAPlainLogToo() {
        let log = plain([
            "query[A] a.example from 192.0.2.1", "Rate-limiting a.example is REFUSED (EDE: blocked)",
            "gravity blocked error is SERVFAIL.example is 0.0.0.0",
        ])
        #expect(log.codes == ["REFUSED": 1] && log.unparsed == 0)
    }
}

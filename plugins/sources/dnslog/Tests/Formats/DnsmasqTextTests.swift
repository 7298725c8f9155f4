import Testing

@testable import DNSLogPlugin

/// Texts chosen by others cannot decide how a query ended.
@Suite struct DnsmasqTextTests {
    private let head = "Nov 22 18:55:30 dnsmasq[9]: 7 192.0.2.1/5353 "

    private func count(_ query: String, _ lines: String...) -> CountedLog {
        CountedLog(([query + " from 192.0.2.1"] + lines).map { head + $0 })
    }

    @Test(arguments: ["NXDOMAIN", "NODATA", "NODATA-IPv4", "NODATA (DNSSEC signed)", "NXDOMAIN (EDE: x)"])
    func aTextThatReadsLikeADenialHasNoCode(_ text: String) {
        for type in ["TXT", "ANY"] {
            let log = count("query[\(type)] t.example", "reply t.example is \(text)")
            #expect(log.codes == ["unknown": 1] && log.classes.isEmpty && log.unanswered == 0)
        }
    }

    @Test func aDenialOfATextFromTheCacheHasNoCodeForTextsMayBeCached() {
        #expect(count("query[TXT] t.example", "cached t.example is NXDOMAIN").codes == ["unknown": 1])
    }

    @Test func aDenialOfWhatHasNoTextIsKnown() {
        #expect(count("query[MX] t.example", "reply t.example is NXDOMAIN").codes == ["NXDOMAIN": 1])
    }

    @Test func aNameWithIsInItMayHaveAnAlias() {
        let denied = count(
            "query[AAAA] a is b.example", "reply a is b.example is <CNAME>", "reply z.example is NXDOMAIN")
        #expect(denied.codes == ["NXDOMAIN": 1] && denied.unanswered == 0)
        let failed = count(
            "query[A] a is b.example", "cached a is b.example is <CNAME>", "forwarded a is b.example to 192.0.2.53#53",
            "reply error is SERVFAIL")
        #expect(failed.codes == ["SERVFAIL": 1] && failed.responses == 1)
    }

    @Test func aTextOfTheNameErrorIsNoFailure() {
        let log = count("query[TXT] error", "forwarded error to 192.0.2.53#53", "reply error is SERVFAIL")
        #expect(log.codes == ["unknown": 1] && log.upstreams.isEmpty)
    }

    @Test func aTextOfTheNameErrorBehindAnAliasIsNoFailure() {
        let log = count("query[TXT] t.example", "reply t.example is <CNAME>", "reply error is REFUSED")
        #expect(log.codes == ["unknown": 1])
    }

    @Test func aServerThatFailsForATextFails() {
        let log = count("query[TXT] t.example", "forwarded t.example to 192.0.2.53#53", "reply error is SERVFAIL")
        #expect(log.codes == ["SERVFAIL": 1] && log.upstreams == ["192.0.2.53#53 servfail": 1])
    }

    @Test func aTextOfTheNameQueryIsNoRepetition() {
        let log = count("query[TXT] query", "reply query is duplicate")
        #expect(log.codes == ["unknown": 1] && log.repeated == 0)
    }

    @Test(arguments: ["t.example is NXDOMAIN", "error is SERVFAIL"])
    func aTextThatComesLateIsNoOutcomeEither(_ answer: String) {
        var log = FollowedLog()
        log.take(head + "query[TXT] t.example from 192.0.2.1")
        log.pass(seconds: 10)
        log.take(head + "reply \(answer)")
        #expect(log.failures == ["unanswered": 1])
        #expect(log.count { $0[ResponseCell(LogEvent.Outcome(cache: .miss))] } == 1)
    }

    @Test func inAPlainLogADenialOfANameThatSomebodyWantsTextsOfHasNoCode() {
        let log = CountedLog(
            [
                "query[TXT] t.example from 192.0.2.1", "reply t.example is NXDOMAIN", "cached t.example is NXDOMAIN",
                "query[A] a.example from 192.0.2.1", "reply a.example is NXDOMAIN",
                "gravity blocked b.example is blocked during CNAME inspection",
            ].map { "Nov 22 18:55:30 dnsmasq[9]: \($0)" })
        #expect(log.codes == ["unknown": 2, "NXDOMAIN": 1] && log.unparsed == 0)
    }

    @Test(arguments: [
        "reply 192.0.2.4 is NXDOMAIN", "cached 192.0.2.4 is NODATA-IPv4", "cached-stale 2001:db8::1 is NXDOMAIN",
        "reply 2001:db8::1 is NODATA-IPv6 (DNSSEC signed)",
    ])
    func aDenialOfAnAddressHasNoCodeForItMayBeItsName(_ answer: String) {
        let log = count("query[PTR] 4.2.0.192.in-addr.arpa", answer)
        #expect(log.codes == ["unknown": 1] && log.classes.isEmpty && log.unanswered == 0)
        let plain = CountedLog(["Nov 22 18:55:30 dnsmasq[9]: \(answer)"])
        #expect(plain.codes == ["unknown": 1] && plain.unparsed == 0)
    }

    @Test(arguments: ["reply 4.2.0.192.in-addr.arpa is NXDOMAIN", "config 192.0.2.4 is NXDOMAIN"])
    func aDenialThatCanBeNoNameIsKnown(_ answer: String) {
        #expect(count("query[PTR] 4.2.0.192.in-addr.arpa", answer).codes == ["NXDOMAIN": 1])
    }

    @Test(arguments: ["DHCP 192.0.2.4 is NXDOMAIN", "/etc/hosts 192.0.2.4 is NODATA"])
    func aClientThatCallsItselfSoHasARecord(_ answer: String) {
        let log = count("query[PTR] 4.2.0.192.in-addr.arpa", answer)
        #expect(log.codes == ["NOERROR": 1] && log.classes == [.success: 1])
    }

    @Test(
        arguments: [
            ("is truncated.example", "192.0.2.9", "NOERROR"), ("query is duplicate", "192.0.2.9", "NOERROR"),
            ("error is SERVFAIL (EDE", "192.0.2.9", "NOERROR"), ("error is SERVFAIL", "NXDOMAIN", "unknown"),
            ("x (EDE: y)", "192.0.2.9", "NOERROR"), ("a (DNSSEC signed)", "192.0.2.9", "NOERROR"),
        ])
    func aNameThatReadsLikeAnOutcomeIsNone(_ name: String, _ value: String, _ code: String) {
        let log = count("query[A] \(name)", "reply \(name) is \(value)")
        #expect(log.codes == [code: 1] && log.repeated == 0 && log.unanswered == 0)
    }
}

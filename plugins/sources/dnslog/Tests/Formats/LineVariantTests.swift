import Testing

@testable import DNSLogPlugin

/// Forms of lines that the recorded logs do not have.
@Suite struct LineVariantTests {
    @Test func unboundThroughSyslogRepeatsProcessAndThread() {
        let log = CountedLog([
            "Nov 21 01:05:39 host unbound[1]: [1:0] query: 192.0.2.1 a.example. A IN",
            "Nov 21 01:05:39 host unbound[1]: [1:0] reply: 192.0.2.1 a.example. A IN NOERROR 0.000294 0 60",
        ])
        #expect(log.format == .unbound)
        #expect(log.queries == 1 && log.responses == 1 && log.unanswered == 0 && log.unparsed == 0)
    }

    @Test(arguments: [
        "client @0x7f 192.0.2.1#53 (a.example): query: a.example IN AAAA +E(0)DCV (192.0.2.2)",
        "queries: client @0x7f 192.0.2.1#53 (a.example): view internal: query: a.example IN AAAA + (192.0.2.2)",
        "21-Nov-2026 01:08:58.981 info: client 192.0.2.1#53 (a.example): query: a.example IN AAAA -S (192.0.2.2)",
        "21-Nov-2026 01:08:58.981 debug 1: client 192.0.2.1#53 (a.example): query: a.example IN AAAA -S (192.0.2.2)",
        "Nov 21 01:08:58 host named[9]: client @0x7f 192.0.2.1#53 (a.example): query: a.example IN AAAA + (192.0.2.2) [ECS 198.51.100.0/24/0]",
    ])
    func bindQueriesHaveManyForms(_ line: String) {
        let log = CountedLog([line])
        #expect(log.format == .bind)
        #expect(log.types == ["AAAA": 1])
        #expect(log.clients == ["192.0.2.1": 1])
        #expect(log.transports == [.udp: 1])
    }

    @Test func bindNamesMayLookLikeALine() {
        let name = #"nl\010Nov\03221\032\):\032query:\032evil\032IN\032A"#
        let log = CountedLog(["client @0x7f 192.0.2.1#53 (\(name)): query: \(name) IN TXT +T (192.0.2.2)"])
        #expect(log.types == ["TXT": 1])
        #expect(log.transports == [.tcp: 1])
    }

    @Test func bindTellsWhichServersFail() {
        let log = CountedLog([
            "lame-servers: info: REFUSED unexpected RCODE resolving 'a.example/A/IN': 192.0.2.53#53",
            "lame-servers: info: connection refused resolving 'a.example/A/IN': 192.0.2.54#53",
            "resolver: notice: DNS format error from 192.0.2.55#53 resolving a.example/A for 192.0.2.1#5: server sent FORMERR",
        ])
        #expect(
            log.upstreams
                == ["192.0.2.53#53 refused": 1, "192.0.2.54#53 unreachable": 1, "192.0.2.55#53 malformed": 1]
        )
    }

    @Test func coreDNSLinesTellEverythingButTheCache() {
        let log = CountedLog([
            #"[INFO] [::1]:50759 - 29008 "A IN example.org. udp 41 false 4096" NOERROR qr,rd,ra,ad 68 0.037990251s"#,
            #"2026-10-06T00:17:09.669794202Z stdout F [INFO] 192.0.2.1:5 - 2 "AAAA IN sp\ ace.org. tls 41 false 4096" SERVFAIL qr,rd 68 0.5s "0""#,
            #"[INFO] 192.0.2.1:5 - 2 "MX IN gone.org. https 41 false 4096" - - 0 5.0s"#,
            "[ERROR] plugin/errors: 2 example.org. A: read udp 192.0.2.7:1->192.0.2.53:53: i/o timeout",
            "[INFO] plugin/reload: Running configuration SHA512 = 1",
        ])
        #expect(log.format == .coredns)
        #expect(log.queries == 3 && log.unparsed == 0)
        #expect(log.codes == ["NOERROR": 1, "SERVFAIL": 1])
        #expect(log.unanswered == 1)
        #expect(log.longestLatency == 500_000_000)
        #expect(log.transports == [.udp: 1, .dot: 1, .doh: 1])
        #expect(log.failingNames == [#"sp\032ace.org"#: 1, "gone.org": 1])
        #expect(log.upstreams == ["192.0.2.53:53 timeout": 1])
    }

    @Test(arguments: ["?!", "AAAAAA", "AAAA####AAAAAAAA"])
    func aMessageOfAdGuardHomeThatCannotBeReadIsNoSilence(_ answer: String) {
        let log = CountedLog(
            ["AAGBgAABAAEAAAAAAWE=", answer, ""].map {
                #"{"T":"2026-11-21T01:05:39Z","QH":"a.example","QT":"A","QC":"IN","CP":"","IP":"192.0.2.1","Answer":"\#($0)"}"#
            })
        #expect(log.queries == 2 && log.responses == 1 && log.unanswered == 1 && log.unparsed == 1)
    }

    @Test func adGuardHomeLinesAreReadFromTheirMessages() {
        // Flags 8180 and one record; flags 8183 and none; flags 8180 and none.
        let line: (String, String, String) -> String = { name, answer, rest in
            #"{"T":"2026-11-21T01:05:39.1+01:00","QH":"\#(name)","QT":"A","QC":"IN","CP":"doh","Upstream":"https://dns.example/","#
                + #""Answer":"\#(answer)","IP":"192.0.2.1","Result":{"IsFiltered":false,"Rules":[{"Text":"}\"]"}]},\#(rest)}"#
        }
        let log = CountedLog([
            line("a.example", "AAGBgAABAAEAAAAAAWE=", #""Elapsed":1500000"#),
            line("nx.example", "AAGBgwABAAAAAAAAAWE=", #""Elapsed":10,"Cached":true"#),
            line("none.example", "AAGBgAABAAAAAAAAAWE=", #""Elapsed":10"#),
            #"{"T":"x","QH":"silent.example","QT":"A","QC":"IN","CP":"","IP":"192.0.2.1","Result":{},"Elapsed":9}"#,
            #"{"T":"x","QH":"cut.example","QT":"A","#,
        ])
        #expect(log.format == .adguard)
        #expect(log.queries == 4 && log.unparsed == 1)
        #expect(log.codes == ["NOERROR": 2, "NXDOMAIN": 1])
        #expect(log.classes == [.success: 1, .denial: 2])
        #expect(log.cached == 1)
        #expect(log.unanswered == 1)
        #expect(log.longestLatency == 1_500_000)
        #expect(log.transports == [.doh: 3, .unknown: 1])
    }

    @Test func piHoleBlocksInWordsOfItsOwn() {
        let log = CountedLog([
            "Nov 21 01:06:03 dnsmasq[1]: 1 192.0.2.1/5 query[A] ads.example from 192.0.2.1",
            "Nov 21 01:06:03 dnsmasq[1]: 1 192.0.2.1/5 gravity blocked ads.example is 0.0.0.0",
            "Nov 21 01:06:04 dnsmasq[1]: 2 192.0.2.1/5 query[A] pi.hole from 192.0.2.1",
            "Nov 21 01:06:04 dnsmasq[1]: 2 192.0.2.1/5 /etc/pihole/custom.list pi.hole is 192.0.2.9",
        ])
        #expect(log.codes == ["NOERROR": 2] && log.unanswered == 0)
    }

    @Test func kresdRequestsWithoutAnAnswerAreUnanswered() {
        let log = CountedLog([
            "[policy] [query] uid=1 client=192.0.2.1#5 proto=udp qname=a.example. qtype=A rcode=none cached=false size=0",
            "[policy] [query] uid=1 client=192.0.2.1#5 proto=tls qname=a.example. qtype=A rcode=NOERROR cached=true size=9 us=250",
        ])
        #expect(log.queries == 2 && log.unanswered == 1 && log.responses == 1)
        #expect(log.longestLatency == 250_000)
    }
}

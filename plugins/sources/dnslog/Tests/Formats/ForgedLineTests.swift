import Testing

@testable import DNSLogPlugin

/// Names that a client chose so that they read like a part of the line they are in.
@Suite struct ForgedLineTests {
    @Test(arguments: [
        "a->192.0.2.99:53", "a->192.0.2.99:53:", #"a\ A:\ read\ udp\ 192.0.2.7:1->192.0.2.99:53:\ i/o\ timeout"#,
        #"\"->192.0.2.99:53:\ x"#,
    ])
    func aNameThatLooksLikeAServerIsNotToBlame(_ name: String) {
        let log = CountedLog([
            #"[INFO] 192.0.2.1:5 - 2 "A IN \#(name). udp 41 false 4096" SERVFAIL qr,rd 68 0.5s"#,
            "[ERROR] plugin/errors: 2 \(name). A: read udp 192.0.2.7:1->192.0.2.53:53: i/o timeout",
            "[ERROR] plugin/errors: 2 \(name). A: plugin/forward: no healthy proxies",
        ])
        #expect(log.upstreams == ["192.0.2.53:53 timeout": 1])
        #expect(log.queries == 1 && log.codes == ["SERVFAIL": 1] && log.unparsed == 0)
    }

    @Test(arguments: [
        #"query\032failed\032\(SERVFAIL\)"#, #"\(\):\032query:\032x"#, "/key", "a'/A/IN'", "view", #"x\)"#,
    ])
    func aNameOfBINDThatReadsLikeItsLineIsAName(_ name: String) {
        let log = CountedLog([
            "queries: info: client @0x7f 192.0.2.1#53/key k.lab (\(name)): query: \(name) IN TXT +S (192.0.2.2)",
            "query-errors: info: client @0x7f 192.0.2.1#53/key k.lab (\(name)): query failed (failure) for \(name)/IN/TXT at query.c:1",
        ])
        #expect(log.types == ["TXT": 1] && log.codes == ["SERVFAIL": 1] && log.unparsed == 0)
        #expect(log.failingNames.keys.sorted() == log.names.keys.sorted())
    }

    @Test(arguments: [
        #"a'|A'\032from\0321.2.3.4:5"#, #"x':\0320\032answers,\032rcode=2"#, "non-rd", "a|b",
    ])
    func aNameOfPowerDNSThatReadsLikeItsLineIsAName(_ name: String) {
        let log = CountedLog([
            "Nov 21 01:09:37 2 [1/1] question for '\(name)|A' from 192.0.2.1:53",
            "Nov 21 01:09:37 2 [1/1] answer to question '\(name)|A': 1 answers, 0 additional, took 0 packets, 0 netw ms, 0.5 tot ms,"
                + " 0 throttled, 0 timeouts, 0/0 tcp/dot connections, rcode=0",
        ])
        #expect(log.clients.keys.allSatisfy { $0 == "192.0.2.1" })
        #expect(log.codes.keys.allSatisfy { $0 == "NOERROR" })
        #expect(log.types.keys.allSatisfy { $0 == "A" })
    }

    @Test(arguments: [#"a\032rcode=SERVFAIL"#, "rcode=SERVFAIL", "nil", "x=y", #"\"\]\["#])
    func aNameOfKnotResolverThatReadsLikeItsLineIsAName(_ name: String) {
        let log = CountedLog([
            "[policy] [query] uid=1 client=192.0.2.1#5 proto=udp qname=\(name). qtype=A rcode=NOERROR cached=true size=9"
        ])
        #expect(log.queries == 1 && log.codes == ["NOERROR": 1] && log.unparsed == 0)
    }
}

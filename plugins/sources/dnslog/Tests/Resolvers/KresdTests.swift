import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real Knot Resolver on loopback.
@Suite(.enabled(if: Kresd.isInstalled, "needs knot-resolver, bind9-dnsutils and dnsperf: make test installs them"))
struct KresdTests {
    @Test func theLayerLogsEveryRequestWithHowItEnded() throws {
        let folder = try LogFolder()
        let resolver = Kresd(folder)
        try resolver.start()
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 100)
        let udp = ["network.transport": "udp"]
        try source.run { load.hasEnded && source.sum("sonde.dns.resolver.query.count", udp) == 500 }
        #expect(DNSLoad.answered(load) == 500)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "NXDOMAIN"]) == 100)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "REFUSED"]) == 100)
        #expect(source.sum("sonde.dns.resolver.question.count", ["sonde.dns.qtype": "AAAA"]) == 100)
        #expect(source.sum("sonde.dns.resolver.failure.count", ["error.type": "refused"]) == 100)
        #expect(source.sum("sonde.dns.resolver.query.unanswered") == 0)
        #expect(source.sum("sonde.dns.log.line.unparsed") == 0)
    }

    @Test func theLayerTellsEncryptedTransportsApart() throws {
        let folder = try LogFolder()
        let resolver = Kresd(folder)
        try resolver.start()
        #expect(try resolver.answers(resolver.tlsPort, "+tls"))
        #expect(try resolver.answers(resolver.httpsPort, "+https"))
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        try source.run { source.sum("sonde.dns.resolver.query.count", ["network.transport": "doh"]) == 1 }
        #expect(source.sum("sonde.dns.resolver.query.count", ["network.transport": "dot"]) == 1)
    }

    @Test func itsDnstapTellsTheSame() throws {
        let folder = try LogFolder()
        let source = try RunningSource(["format": .string("dnstap"), "path": .string(folder.file("tap"))])
        let resolver = Kresd(folder)
        resolver.port = LoopbackPort.free()
        resolver.process = try resolver.launch()
        // It waits at its start until it is greeted.
        try source.run { try resolver.isUp() }
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 100)
        // On a busy machine some queries do not reach the resolver, and its writer gives up what it has no room for.
        try source.run {
            guard load.hasEnded, let asked = source.sum("sonde.dns.resolver.query.count") else { return false }
            let ended =
                (source.sum("sonde.dns.resolver.response.count") ?? 0)
                + (source.sum("sonde.dns.resolver.query.unanswered") ?? 0)
            return asked > 350 && ended >= asked
        }
        for code in ["NXDOMAIN", "REFUSED"] {
            let count = try #require(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": code]))
            #expect(70...100 ~= count, "\(code)")
        }
        #expect(source.sum("sonde.dns.dnstap.frame.malformed") == 0)
        #expect(source.sum("sonde.dns.dnstap.connection.broken") == 0)
    }
}

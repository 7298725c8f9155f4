import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real unbound on loopback, which sends dnstap to a configured source.
@Suite(.enabled(if: Unbound.isInstalled, "needs unbound and dnsperf: make test installs them"))
struct UnboundDnstapTests {
    /// A source, and the resolver that sends to it.
    private static func pair(bidirectional: String = "yes") throws -> (source: RunningSource, resolver: Unbound) {
        let folder = try LogFolder()
        let source = try RunningSource([
            "format": .string("dnstap"), "path": .string(folder.file("tap")), "socket_access": .string("everyone"),
        ])
        let resolver = Unbound(
            folder,
            """
            dnstap:
              dnstap-enable: yes
              dnstap-bidirectional: \(bidirectional)
              dnstap-socket-path: "\(folder.path)/tap"
              dnstap-log-client-query-messages: yes
              dnstap-log-client-response-messages: yes
            """
        )
        return (source, resolver)
    }

    @Test(arguments: ["yes", "no"])
    func everyQueryAndAnswerThatUnboundCountsIsTold(_ bidirectional: String) throws {
        let (source, resolver) = try Self.pair(bidirectional: bidirectional)
        try resolver.start()
        let load = try DNSLoad.start(resolver.folder, port: resolver.port, rounds: 200)
        try source.run { load.hasEnded && source.sum("sonde.dns.resolver.response.count") == 1_000 }
        let statistics = try resolver.statistics()
        #expect(statistics["total.num.queries"] == 1_000)
        #expect(source.sum("sonde.dns.resolver.query.count") == 1_000)
        #expect(
            source.sum("sonde.dns.resolver.query.count", ["network.transport": "udp", "network.type": "ipv4"]) == 1_000)
        for type in ["A", "AAAA", "TXT"] {
            let told = source.sum("sonde.dns.resolver.question.count", ["sonde.dns.qtype": type])
            #expect(told == statistics["num.query.type.\(type)"])
        }
        for code in ["NOERROR", "NXDOMAIN", "REFUSED"] {
            let told = source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": code])
            #expect(told == statistics["num.answer.rcode.\(code)"])
        }
        #expect(source.histogramCount("sonde.dns.resolver.response.duration") == 1_000)
        #expect(source.sum("sonde.dns.resolver.response.unasked") == 0)
        #expect(source.sum("sonde.dns.resolver.query.unanswered") == 0)
        #expect(source.sum("sonde.dns.dnstap.frame.count") == 2_000)
        #expect(source.sum("sonde.dns.dnstap.frame.malformed") == 0)
        #expect(source.sum("sonde.dns.dnstap.connection.broken") == 0)
    }

    @Test func whatOnlyLogsHaveIsAbsent() throws {
        let (source, resolver) = try Self.pair()
        try resolver.start()
        let load = try DNSLoad.start(resolver.folder, port: resolver.port, rounds: 1)
        try source.run { load.hasEnded && source.sum("sonde.dns.resolver.response.count") == 5 }
        for name in ["log.line.count", "log.line.undecided", "log.io", "log.file.open", "resolver.query.dropped"] {
            #expect(source.sum("sonde.dns.\(name)") == nil)
        }
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.cached": "true"]) == nil)
    }

    @Test func aResolverThatEndsAndComesBackIsHeardOfAgain() throws {
        let (source, resolver) = try Self.pair()
        for round in UInt64(1)...2 {
            try resolver.start()
            let load = try DNSLoad.start(resolver.folder, port: resolver.port, rounds: 8)
            try source.run { load.hasEnded && source.sum("sonde.dns.resolver.response.count") == 40 * round }
            resolver.end()
            try source.run { source.sum("sonde.dns.dnstap.connection.open") == 0 }
        }
        #expect(source.sum("sonde.dns.dnstap.connection.count") == 2)
        #expect(source.sum("sonde.dns.dnstap.connection.broken") == 0)
    }
}

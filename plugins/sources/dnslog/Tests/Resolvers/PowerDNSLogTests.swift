import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real PowerDNS Recursor on loopback, whose log is copied and truncated between two loads: it cannot reopen its log.
@Suite(.enabled(if: PowerDNS.isInstalled, "needs pdns-recursor and dnsperf: make test installs them"))
struct PowerDNSLogTests {
    @Test(arguments: ["yes", "no"])
    func theLogTellsThroughATruncationWhatTheRecursorCounts(_ structured: String) throws {
        let folder = try LogFolder()
        let resolver = PowerDNS(folder, structured: structured)
        try resolver.start()
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        for (round, transport) in ["udp", "tcp"].enumerated() {
            let load = try DNSLoad.start(folder, port: resolver.port, rounds: 100, transport: transport)
            try source.run {
                load.hasEnded && source.sum("sonde.dns.resolver.query.count") == UInt64(500 * (round + 1))
            }
            #expect(DNSLoad.answered(load) == 500)
            try folder.copy("q.log", to: "q.log.\(round)")
            try folder.truncate()
        }
        let statistics = try resolver.statistics()
        #expect(statistics["questions"] == 1_000)
        #expect(source.sum("sonde.dns.resolver.query.count") == statistics["questions"])
        #expect(
            source.sum("sonde.dns.resolver.query.count", ["network.transport": "tcp"]) == statistics["tcp-questions"])
        #expect(source.sum("sonde.dns.resolver.response.count") == 1_000)
        #expect(
            source.sum("sonde.dns.resolver.response.count", ["sonde.dns.cached": "true"])
                == statistics["packetcache-hits"])
        #expect(source.sum("sonde.dns.log.line.unparsed") == 0)
        #expect(source.losses.isEmpty)
    }
}

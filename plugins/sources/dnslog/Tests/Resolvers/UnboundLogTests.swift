import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real unbound on loopback, whose log is rotated while it is queried.
@Suite(.enabled(if: Unbound.isInstalled, "needs unbound and dnsperf: make test installs them"))
struct UnboundLogTests {
    @Test(arguments: ["udp", "tcp"])
    func theLogTellsThroughRotationsWhatUnboundCounts(_ transport: String) throws {
        let folder = try LogFolder()
        let resolver = Unbound(
            folder,
            """
            server:
              logfile: "\(folder.path)/q.log"
              log-queries: yes
              log-replies: yes
              log-tag-queryreply: yes
              log-servfail: yes
            """
        )
        try resolver.start()
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 400, transport: transport)
        var rotations: UInt64 = 0
        try source.run {
            guard load.hasEnded else {
                rotations += 1
                try folder.move("q.log", to: "q.log.\(rotations)")
                try resolver.reopenLog()
                return false
            }
            return source.sum("sonde.dns.resolver.response.count") == 2_000
        }
        let statistics = try resolver.statistics()
        #expect(DNSLoad.answered(load) == 2_000)
        #expect(rotations >= 3)
        #expect(source.sum("sonde.dns.log.rotation.count") == rotations)
        #expect(source.sum("sonde.dns.resolver.query.count") == statistics["total.num.queries"])
        for code in ["NOERROR", "NXDOMAIN", "REFUSED"] {
            let told = source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": code])
            #expect(told == statistics["num.answer.rcode.\(code)"])
        }
        for type in ["A", "AAAA", "TXT"] {
            let told = source.sum("sonde.dns.resolver.question.count", ["sonde.dns.qtype": type])
            #expect(told == statistics["num.query.type.\(type)"])
        }
        #expect(source.sum("sonde.dns.resolver.failure.count", ["error.type": "refused"]) == 400)
        #expect(source.histogramCount("sonde.dns.resolver.response.duration") == 2_000)
        #expect(source.sum("sonde.dns.resolver.query.unanswered") == 0)
        #expect(source.sum("sonde.dns.resolver.response.unasked") == 0)
        #expect(source.sum("sonde.dns.log.line.unparsed") == 0)
        #expect(source.losses.isEmpty)
    }
}

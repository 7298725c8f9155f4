import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real dnsmasq on loopback, whose log is rotated while it is queried.
@Suite(.enabled(if: Dnsmasq.isInstalled, "needs dnsmasq-base, bind9-dnsutils and dnsperf: make test installs them"))
struct DnsmasqLogTests {
    @Test func theExtraLogTellsThroughRotationsWhatDnsmasqAnswers() throws {
        let source = try run("log-queries=extra") { $0.sum("sonde.dns.resolver.response.count") == 2_000 }
        #expect(source.sum("sonde.dns.resolver.query.count") == 2_000)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "NOERROR"]) == 1_200)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "NXDOMAIN"]) == 400)
        #expect(source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": "REFUSED"]) == 400)
        #expect(source.sum("sonde.dns.resolver.query.unanswered") == 0)
    }

    @Test func thePlainLogTellsQueriesThroughRotationsAndNoAnswers() throws {
        let source = try run("log-queries") { $0.sum("sonde.dns.resolver.query.count") == 2_000 }
        #expect(source.sum("sonde.dns.resolver.response.count") == nil)
        #expect(source.sum("sonde.dns.resolver.query.unanswered") == nil)
    }

    /// Sends 2,000 queries, rotates meanwhile, and reads until everything is reported.
    private func run(_ logQueries: String, until isTold: (RunningSource) -> Bool) throws -> RunningSource {
        let folder = try LogFolder()
        let resolver = Dnsmasq(folder, logQueries: logQueries)
        try resolver.start()
        let before = try resolver.answeredLocally() ?? 0
        // What was queried until here is in the log as well.
        try folder.truncate()
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 400)
        var rotations: UInt64 = 0
        var known: UInt64?
        try source.run {
            guard load.hasEnded else {
                // It handles the signal after a while; a file that was not there at the last turn, the source has not seen.
                let file = folder.inode("q.log")
                defer { known = file }
                guard let file, file == known else { return false }
                rotations += 1
                try folder.move("q.log", to: "q.log.\(rotations)")
                resolver.reopenLog()
                return false
            }
            // The last rotation may come after the last line, and the new file later still.
            return isTold(source) && source.sum("sonde.dns.log.rotation.count") == rotations
        }
        // The question before is one more.
        #expect(try resolver.answeredLocally() == before + 1 + 2_000)
        #expect(DNSLoad.answered(load) == 2_000)
        #expect(rotations >= 3)
        #expect(source.sum("sonde.dns.log.rotation.count") == rotations)
        #expect(source.sum("sonde.dns.log.line.unparsed") == 0)
        #expect(source.losses.isEmpty)
        return source
    }
}

import SondeTestKit
import Testing

@testable import DNSLogPlugin

/// A real BIND on loopback, which rolls its log while it is queried.
@Suite(.enabled(if: BIND.isInstalled, "needs bind9 and dnsperf: make test installs them"))
struct BINDLogTests {
    @Test(arguments: ["udp", "tcp"])
    func theLogTellsQueriesAndFailuresThroughRotationsAsBINDCountsThem(_ transport: String) throws {
        let folder = try LogFolder()
        let resolver = BIND(folder)
        try resolver.start()
        let source = try RunningSource(["path": .string(folder.file("q.log")), "start": .string("beginning")])
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 400, transport: transport)
        try source.run { load.hasEnded && source.sum("sonde.dns.resolver.query.count") == 2_000 }
        let statistics = try resolver.statistics()
        #expect(DNSLoad.answered(load) == 2_000)
        #expect(statistics["QUERY"] == 2_000)
        #expect(source.sum("sonde.dns.resolver.query.count", ["network.transport": transport]) == 2_000)
        #expect(source.sum("sonde.dns.log.rotation.count").map { $0 >= 3 } == true)
        #expect(source.sum("sonde.dns.resolver.failure.count", ["error.type": "servfail"]) == statistics["SERVFAIL"])
        #expect(statistics["SERVFAIL"] == 400)
        for type in ["A", "AAAA", "TXT"] {
            #expect(source.sum("sonde.dns.resolver.question.count", ["sonde.dns.qtype": type]) == statistics[type])
        }
        #expect(source.sum("sonde.dns.resolver.response.count") == nil)
        #expect(source.sum("sonde.dns.log.line.unparsed") == 0)
        #expect(source.losses.isEmpty)
    }

    @Test func itsDnstapTellsTheCodesToo() throws {
        let folder = try LogFolder()
        let source = try RunningSource(["format": .string("dnstap"), "path": .string(folder.file("tap"))])
        // Where its writer waits for a processor, 512 messages are few: BIND drops what comes then.
        let queue = "fstrm-set-input-queue-size 4096;"
        let resolver = BIND(
            folder, dnstap: "\(queue) dnstap { client; }; dnstap-output unix \"\(folder.path)/tap\";")
        try resolver.start()
        let load = try DNSLoad.start(folder, port: resolver.port, rounds: 100)
        try source.run { load.hasEnded && source.sum("sonde.dns.resolver.response.count") == 500 }
        let statistics = try resolver.statistics()
        #expect(source.sum("sonde.dns.resolver.query.count") == statistics["QUERY"])
        for code in ["NOERROR", "NXDOMAIN", "SERVFAIL"] {
            let told = source.sum("sonde.dns.resolver.response.count", ["sonde.dns.rcode": code])
            #expect(told == statistics[code])
        }
        #expect(source.histogramCount("sonde.dns.resolver.response.duration") == 500)
        #expect(source.sum("sonde.dns.resolver.response.unasked") == 0)
    }
}

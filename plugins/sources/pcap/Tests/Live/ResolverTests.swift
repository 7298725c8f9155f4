import Foundation
import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

/// A real resolver behind a veth, and dnsperf in front of it.
@Suite(
    .enabled(
        if: OtherNamespace.canRun("unbound", "unbound-control", "dnsperf"),
        "needs root, unbound and dnsperf"
    )
)
struct ResolverTests {
    @Test(arguments: ["udp", "tcp"])
    func theWireHasWhatDnsperfSentAndUnboundAnswered(_ transport: String) throws {
        let (samples, report, statistics) = try OwnNamespace.run {
            let resolver = try Resolver()
            let bench = try Self.bench()
            let load = try resolver.load(rounds: 500, transport: transport, patience: 20)
            try bench.turn { load.hasEnded }
            try bench.turn(for: .milliseconds(300))
            return (Self.samples(bench), load.output, try resolver.statistics())
        }
        let sent = try #require(Self.number(after: "Queries sent:", in: report))
        #expect(sent == 2_000)
        #expect(Self.number(after: "Queries completed:", in: report) == sent)
        let lane = "network.transport=\(transport),network.type=ipv4"
        let client = "sonde.dns.role=client"
        #expect(samples["sonde.dns.wire.query.count{\(lane),sonde.dns.opcode=QUERY,\(client)}"] == .unsigned(sent))
        #expect(samples["sonde.dns.wire.query.answered{\(lane),\(client)}"] == .unsigned(sent))
        #expect(samples.sum("sonde.dns.wire.query.count") == sent)
        #expect(samples.sum("sonde.dns.wire.query.unanswered") == 0)
        #expect(statistics["total.num.queries"] == sent)
        for (name, number) in [("A", "A"), ("AAAA", "AAAA"), ("TXT", "TXT")] {
            let question = samples["sonde.dns.wire.question.count{\(lane),sonde.dns.qtype=\(name),\(client)}"]
            #expect(question == statistics["num.query.type.\(number)"].map(SampleValue.unsigned))
        }
        for code in ["NOERROR", "NXDOMAIN"] {
            let response = samples["sonde.dns.wire.response.count{\(lane),sonde.dns.rcode=\(code),\(client)}"]
            #expect(response == statistics["num.answer.rcode.\(code)"].map(SampleValue.unsigned))
        }
        #expect(samples["sonde.dns.wire.name.distinct"] == .unsigned(3))
    }

    @Test func queriesToAResolverThatStandsStillAreUnanswered() throws {
        let (samples, report) = try OwnNamespace.run {
            let resolver = try Resolver()
            let bench = try Self.bench()
            resolver.stop()
            let load = try resolver.load(rounds: 5, transport: "udp", patience: 1)
            try bench.turn { load.hasEnded }
            try bench.turn(for: .milliseconds(300))
            return (Self.samples(bench, later: .seconds(10)), load.output)
        }
        #expect(Self.number(after: "Queries lost:", in: report) == 20)
        #expect(samples.sum("sonde.dns.wire.query.count") == 20)
        #expect(samples.sum("sonde.dns.wire.query.unanswered") == 20)
        #expect(samples.sum("sonde.dns.wire.response.count") == 0)
    }

    private static func bench() throws -> CaptureBench {
        var settings = AnalysisSettings()
        settings.flows = FlowSettings(bytes: 1 << 20)
        settings.dns = DNSSettings(rankingCapacity: 100, seed: 7)
        return try CaptureBench(["interface": .string("va"), "buffer_size": .size(16 << 20)], settings)
    }

    /// What the plugin would report, `later` than now.
    private static func samples(_ bench: CaptureBench, later: Nanoseconds = .zero) -> [String: SampleValue] {
        let now = Int64(Date.now.timeIntervalSince1970 * 1e9)
        bench.fake.wallTime = Timestamp(nanoseconds: now + later.value)
        let report = CaptureReport(bench.host)
        bench.pipeline.settle(at: now + later.value) {}
        report.gather(bench.capture, bench.pipeline)
        _ = report.commit()
        return bench.fake.lastCommit
    }

    private static func number(after label: String, in text: String) -> UInt64? {
        guard let line = text.split(separator: "\n").first(where: { $0.contains(label) }) else { return nil }
        let words = line.split(separator: " ").drop { !label.hasSuffix($0) }
        return words.dropFirst().first.flatMap { UInt64($0) }
    }
}

/// unbound at 10.77.0.2, behind va.
private final class Resolver {
    private let network: OtherNamespace
    private let process: TestProcess
    private let folder: URL

    init() throws {
        try Iproute.addPair("va", "vb")
        network = try OtherNamespace()
        try network.take("vb", "10.77.0.2/24")
        try Iproute.run("addr add 10.77.0.1/24 dev va")
        folder = FileManager.default.temporaryDirectory.appending(path: "pcap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appending(path: "unbound.conf")
        try Data(Self.configuration(folder.path).utf8).write(to: configuration)
        process = try network.start("unbound", ["-d", "-p", "-c", configuration.path])
        let control = folder.appending(path: "control").path
        try HandshakeDelayTests.wait { FileManager.default.fileExists(atPath: control) }
        try Data("a.example A\nb.example AAAA\nc.example TXT\nb.example A\n".utf8)
            .write(to: folder.appending(path: "queries"))
    }

    deinit {
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// dnsperf with four questions, `rounds` times, each of which it waits so many seconds for.
    func load(rounds: Int, transport: String, patience: Int) throws -> TestProcess {
        let words = "-s 10.77.0.2 -n \(rounds) -t \(patience) -c 1 -q 20 -m \(transport) -d".split(separator: " ").map(
            String.init)
        return try TestProcess("dnsperf", words + [folder.appending(path: "queries").path])
    }

    /// It is there and does nothing.
    func stop() {
        process.signal(SIGSTOP)
    }

    func statistics() throws -> [String: UInt64] {
        let path = folder.appending(path: "unbound.conf").path
        let child = try TestProcess("unbound-control", ["-c", path, "stats_noreset"])
        #expect(child.wait() == 0)
        return child.output.split(separator: "\n").reduce(into: [:]) { numbers, line in
            let pair = line.split(separator: "=")
            if pair.count == 2, let number = UInt64(pair[1]) { numbers[String(pair[0])] = number }
        }
    }

    private static func configuration(_ folder: String) -> String {
        """
        server:
          interface: 10.77.0.2
          access-control: 10.77.0.0/24 allow
          username: ""
          chroot: ""
          directory: "\(folder)"
          pidfile: "\(folder)/pid"
          use-syslog: no
          num-threads: 1
          extended-statistics: yes
          do-daemonize: no
          local-zone: "a.example." static
          local-data: "a.example. A 192.0.2.1"
          local-zone: "b.example." static
          local-data: "b.example. AAAA 2001:db8::1"
          local-zone: "c.example." static
        remote-control:
          control-enable: yes
          control-interface: "\(folder)/control"
          control-use-cert: no

        """
    }
}

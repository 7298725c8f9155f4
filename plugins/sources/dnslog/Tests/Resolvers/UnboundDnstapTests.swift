import Foundation
import Glibc
import SondeDomain
import SondeWire
import Testing

@testable import DNSLogPlugin

/// A real unbound on loopback, which sends dnstap to the listener.
@Suite(
    .enabled(
        if: ["unbound", "unbound-control", "dnsperf"].allSatisfy { ResolverProcess.path(of: $0) != nil },
        "needs unbound and dnsperf: make deps-full installs them"
    )
)
struct UnboundDnstapTests {
    @Test(arguments: ["yes", "no"])
    func everyQueryAndAnswerThatUnboundCountsIsHeardOf(_ bidirectional: String) throws {
        let resolver = try TappedResolver(bidirectional: bidirectional)
        var decoder = DnstapDecoder(seed: 3)
        var tally = DnstapTally()
        let load = try resolver.load(rounds: 250)
        try resolver.read(
            until: { load.hasEnded && tally.kinds[.response, default: 0] >= 1_000 },
            { tally.take(decoder.event($0)) }
        )
        let statistics = try resolver.statistics()
        #expect(statistics["total.num.queries"] == 1_000)
        #expect(tally.kinds == [.query: 1_000, .response: 1_000])
        #expect(tally.codes[0] == statistics["num.answer.rcode.NOERROR"])
        #expect(tally.codes[3] == statistics["num.answer.rcode.NXDOMAIN"])
        #expect(tally.codes[0, default: 0] + tally.codes[3, default: 0] == 1_000)
        #expect(tally.transports == [.udp: 1_000])
        #expect(tally.latencies.count == 1_000)
        #expect(tally.latencies.allSatisfy { $0 < 10_000_000_000 })
        #expect(tally.unasked == 0 && tally.unanswered == 0)
        #expect(resolver.listener.received.broken == 0)
    }

    @Test func aResolverThatEndsAndComesBackIsHeardOfAgain() throws {
        let resolver = try TappedResolver(bidirectional: "yes")
        for round in 1...2 {
            let load = try resolver.load(rounds: 10)
            var responses = 0
            var decoder = DnstapDecoder(seed: 3)
            try resolver.read(
                until: { load.hasEnded && responses >= 40 },
                { if decoder.event($0).kind == .response { responses += 1 } }
            )
            #expect(responses == 40)
            if round == 1 { try resolver.restart() }
        }
        #expect(resolver.listener.received.connections == 2)
        #expect(resolver.listener.received.broken == 0)
    }
}

/// unbound with a folder of its own, and the socket that it sends to.
private final class TappedResolver {
    struct Late: Error {}

    let listener: DnstapListener
    private let folder: LogFolder
    private let port: UInt16
    private var process: ResolverProcess?

    init(bidirectional: String) throws {
        folder = try LogFolder()
        port = try ResolverProcess.freePort()
        listener = try DnstapListener(folder.file("tap"), mode: 0o666)
        try folder.append(Self.configuration(folder.path, port, bidirectional), to: "unbound.conf")
        try folder.append("a.example A\nb.example AAAA\nc.example TXT\nd.example A\n", to: "queries")
        try begin()
    }

    /// Ends it in good order, and begins anew.
    func restart() throws {
        process?.end()
        try read(until: { listener.connectionCount == 0 })
        try begin()
    }

    private func begin() throws {
        let arguments = ["-d", "-p", "-c", folder.file("unbound.conf")]
        process = try ResolverProcess("unbound", arguments, output: folder.file("unbound.out"))
        try read(until: { listener.connectionCount == 1 && answers() })
    }

    /// Reads until `isDone`, which is asked after each reading; gives up after half a minute.
    func read(until isDone: () -> Bool, _ body: (WireBytes) -> Void = { _ in }) throws {
        let deadline = Self.now.advanced(by: .seconds(30))
        while true {
            while listener.read(body) == .more {}
            if isDone() { return }
            guard Self.now < deadline else {
                Issue.record("\(process?.output ?? "")")
                throw Late()
            }
            _ = listener.wait(-1, until: Self.now.advanced(by: .milliseconds(20)), at: Self.now)
        }
    }

    /// Four questions, `rounds` times.
    func load(rounds: Int) throws -> ResolverProcess {
        let words = "-s 127.0.0.1 -p \(port) -n \(rounds) -t 5 -c 1 -q 20 -d".split(separator: " ").map(String.init)
        return try ResolverProcess("dnsperf", words + [folder.file("queries")], output: folder.file("dnsperf.out"))
    }

    func statistics() throws -> [String: Int] {
        let child = try control("stats_noreset")
        #expect(child.wait() == 0)
        return child.output.split(separator: "\n").reduce(into: [:]) { numbers, line in
            let pair = line.split(separator: "=")
            if pair.count == 2, let number = Int(pair[1]) { numbers[String(pair[0])] = number }
        }
    }

    private func answers() -> Bool {
        (try? control("status"))?.wait() == 0
    }

    private func control(_ command: String) throws -> ResolverProcess {
        let arguments = ["-c", folder.file("unbound.conf"), command]
        return try ResolverProcess("unbound-control", arguments, output: folder.file("control.out"))
    }

    private static var now: MonotonicInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    private static func configuration(_ folder: String, _ port: UInt16, _ bidirectional: String) -> String {
        """
        server:
          interface: 127.0.0.1@\(port)
          access-control: 127.0.0.0/8 allow
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
          local-zone: "d.example." static
          local-data: "d.example. A 192.0.2.4"
        remote-control:
          control-enable: yes
          control-interface: "\(folder)/control"
          control-use-cert: no
        dnstap:
          dnstap-enable: yes
          dnstap-bidirectional: \(bidirectional)
          dnstap-socket-path: "\(folder)/tap"
          dnstap-log-client-query-messages: yes
          dnstap-log-client-response-messages: yes

        """
    }
}

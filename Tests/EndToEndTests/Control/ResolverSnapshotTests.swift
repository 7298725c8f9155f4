import Foundation
import Glibc
import Testing

/// What a snapshot says of DNS: null where a log cannot tell, and how much of a resolver's log a capture has seen.
@Suite struct ResolverSnapshotTests {
    /// A log, and which figures of a snapshot it cannot tell.
    struct Log: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A recording of dnstap, which is sent to the agent's socket.
        var dnstap: String?
        /// Recorded logs of the plugin's tests, or lines.
        var fixtures: [String] = []
        var lines = ""
        let unknown: Set<String>
    }

    private static let figures = ["queries", "responses", "failures", "unanswered", "latency", "rcode"]

    private static let coreDNS = """
        [INFO] 127.0.0.1:44001 - 7 "A IN a.example. udp 38 false 1232" NOERROR qr,aa,rd 84 0.000120s
        [INFO] 127.0.0.1:44002 - 8 "A IN nx.example. udp 38 false 1232" NXDOMAIN qr,aa,rd 84 0.000220s

        """

    private static let adGuard = """
        {"T":"2026-01-01T00:00:00.1Z","QH":"a.example","QT":"A","QC":"IN","CP":"","IP":"192.0.2.7","Answer":"AAGBgAABAAEAAAAAAWEHZXhhbXBsZQAAAQABAWEHZXhhbXBsZQAAAQABAAAAPAAEwAACAQ==","Result":{},"Elapsed":120000,"Upstream":"1.1.1.1:53"}

        """

    private static let logs = [
        Log(testDescription: "unbound", fixtures: ["unbound.log"], unknown: []),
        Log(testDescription: "unbound, untagged", fixtures: ["unbound-untagged.log"], unknown: []),
        Log(
            testDescription: "bind", fixtures: ["bind-queries.log", "bind-query-errors.log"],
            unknown: ["responses", "unanswered", "latency", "rcode"]),
        Log(
            testDescription: "bind, queries alone", fixtures: ["bind-queries.log"],
            unknown: ["responses", "failures", "unanswered", "latency", "rcode"]),
        Log(testDescription: "dnsmasq, extra", fixtures: ["dnsmasq-extra.log"], unknown: ["latency"]),
        Log(
            testDescription: "dnsmasq, plain", fixtures: ["dnsmasq-plain.log"],
            unknown: ["responses", "unanswered", "latency", "rcode"]),
        Log(testDescription: "powerdns", fixtures: ["powerdns-classic.log"], unknown: ["unanswered"]),
        Log(testDescription: "powerdns, structured", fixtures: ["powerdns-structured.log"], unknown: ["unanswered"]),
        Log(testDescription: "kresd", fixtures: ["kresd.log"], unknown: ["latency"]),
        Log(testDescription: "coredns", lines: coreDNS, unknown: []),
        Log(testDescription: "adguard", lines: adGuard, unknown: []),
        Log(testDescription: "dnstap of unbound", dnstap: "unbound.fstrm", unknown: []),
        Log(testDescription: "dnstap of bind", dnstap: "bind.fstrm", unknown: []),
        Log(testDescription: "dnstap of kresd", dnstap: "kresd.fstrm", unknown: []),
    ]

    /// Sends a recording as a resolver sends its messages, and stays connected.
    private static let tap = """
        import gzip, socket, sys, time
        out = socket.socket(socket.AF_UNIX)
        out.connect(sys.argv[1])
        out.sendall(gzip.open(sys.argv[2]).read())
        time.sleep(60)
        """

    /// Starts an agent that reads what `log` has from its beginning.
    private func start(_ log: Log, _ workspace: Workspace) async throws -> Agent {
        var options = "format: dnstap, path: \(workspace.path("tap.sock"))"
        if log.dnstap == nil {
            var paths: [String] = []
            for fixture in log.fixtures {
                let text = try await workspace.run(["/usr/bin/gzip", "-dc", Self.fixture(fixture)]).output
                paths.append(try workspace.write(fixture, text))
            }
            if paths.isEmpty { paths.append(try workspace.write("lines.log", log.lines)) }
            options = "start: beginning, paths: [\(paths.joined(separator: ", "))]"
        }
        let agent = try workspace.startAgent(
            """
            version: 1
            agent: { interval: 200ms, control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
            sources: [{ id: resolver, plugin: dnslog, level: all, timeout: 1s, \(options) }]
            sinks: [{ id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }]

            """)
        guard let recording = log.dnstap, let python = Python.path else { return agent }
        try await agent.wait(until: "the socket is there") { access(workspace.path("tap.sock"), F_OK) == 0 }
        let script = try workspace.write("tap.py", Self.tap)
        _ = try workspace.start([python, script, workspace.path("tap.sock"), Self.fixture(recording)], as: "tap")
        return agent
    }

    private static func fixture(_ name: String) -> String {
        Checkout.path("plugins/sources/dnslog/Tests/Fixtures/\(name).gz")
    }

    @Test(arguments: logs) func whatALogCannotTellIsNull(_ log: Log) async throws {
        try await Workspace.use { workspace in
            let agent = try await start(log, workspace)
            try await agent.wait(until: "the log was read") {
                workspace.read("local").contains("sonde.dns.resolver.query.count")
            }
            let part = try await self.part("log", workspace)
            let known = try #require(part["queries"] as? Double)
            #expect(known > 0)
            let unknown = Self.figures.filter { figure in
                if figure == "latency" { return (part["latency"] as? [String: Any])?["p50"] is NSNull }
                return part[figure] is NSNull
            }
            #expect(Set(unknown) == log.unknown, "\(part)")
            let joined = try await self.part("joined", workspace)
            #expect(joined["source"] as? String == "log")
            let sources = try #require(joined["sources"] as? [String: Any])
            for figure in Self.figures {
                #expect((sources[figure] as? String == "log") == !log.unknown.contains(figure), "\(figure): \(sources)")
            }
        }
    }

    /// The Recursor's dnstap has the answers of other servers and no client.
    @Test func aTapThatTellsOfNoClientTellsASnapshotNothing() async throws {
        try await Workspace.use { workspace in
            let agent = try await start(
                Log(testDescription: "dnstap of powerdns", dnstap: "powerdns.fstrm", unknown: []), workspace)
            try await agent.wait(until: "the messages were read") {
                workspace.read("local").contains("sonde.dns.resolver.upstream.failure.count")
            }
            let document = try await document(workspace)
            #expect(document["dns"] is NSNull, "\(document)")
        }
    }

    private func document(_ workspace: Workspace) async throws -> [String: Any] {
        let result = try await workspace.run(
            [Checkout.sonde, "snapshot", "--format", "json", "--socket", workspace.path("sonde.sock")])
        return try #require(
            JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.errors)")
    }

    private func dns(_ workspace: Workspace) async throws -> [String: Any] {
        let document = try await document(workspace)
        return try #require(document["dns"] as? [String: Any], "\(document)")
    }

    private func part(_ name: String, _ workspace: Workspace) async throws -> [String: Any] {
        try #require(try await dns(workspace)[name] as? [String: Any])
    }

    private static let dnsmasq = "/usr/sbin/dnsmasq"

    static var canCompare: Bool { Iproute.isInstalled && getuid() == 0 && access(dnsmasq, X_OK) == 0 }

    /// Asks over and over: one server whose log is read, and another one whose log is not.
    private static let client = """
        import socket, struct, time
        out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        out.bind(("127.0.0.1", 0))
        out.setblocking(False)
        name = b"\\x01a\\x07example\\x00"
        number = 0
        while True:
            for server in ("127.0.0.1", "127.0.0.2", "127.0.0.2"):
                number = (number + 1) % 65536
                query = struct.pack(">HHHHHH", number, 0x100, 1, 0, 0, 0) + name + struct.pack(">HH", 1, 1)
                out.sendto(query, (server, 53))
            try:
                while True: out.recv(512)
            except BlockingIOError:
                pass
            time.sleep(0.01)
        """

    private func compare(_ option: String, _ check: ([String: Any]) throws -> Void) async throws {
        try await Workspace.use { workspace in
            let name = "sonde-d\(getpid())-\(option.utf8.count)"
            for words in [["netns", "add", name], ["-n", name, "link", "set", "lo", "up"]] {
                let result = try await workspace.run(["/usr/sbin/ip"] + words)
                #expect(result.end == .exited(0), "\(words): \(result.errors)")
            }
            do {
                try await compare(in: name, option, workspace, check)
            } catch {
                _ = try? await workspace.run(["/usr/sbin/ip", "netns", "del", name])
                throw error
            }
            _ = try await workspace.run(["/usr/sbin/ip", "netns", "del", name])
        }
    }

    private func compare(
        in namespace: String,
        _ option: String,
        _ workspace: Workspace,
        _ check: ([String: Any]) throws -> Void
    ) async throws {
        let inside = ["/usr/sbin/ip", "netns", "exec", namespace]
        let log = workspace.path("q.log")
        let common = ["--keep-in-foreground", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root"]
        let records = ["--local=/example/", "--host-record=a.example,192.0.2.1", "--bind-interfaces"]
        for (number, extra) in [["--log-queries=extra", "--log-facility=\(log)"], []].enumerated() {
            let own = ["--listen-address=127.0.0.\(number + 1)", "--pid-file=\(workspace.path("pid\(number)"))"]
            _ = try workspace.start(inside + [Self.dnsmasq] + common + records + own + extra, as: "dnsmasq\(number)")
        }
        let file = try workspace.write(
            "sonde.yaml",
            """
            version: 1
            agent: { interval: 500ms, control_socket: \(workspace.path("sonde.sock")), shutdown_grace: 1s }
            sources:
              - { id: wire, plugin: pcap, level: all, interface: lo, buffer_size: 4MiB }
              - { id: resolver, plugin: dnslog, level: all, path: \(log), format: dnsmasq\(option) }
            sinks: [{ id: local, plugin: file, path: \(workspace.path("local")) }]

            """)
        let command = [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory
        let agent = Agent(process: try workspace.start(inside + command, as: "agent"), workspace: workspace)
        try await Task.sleep(for: .seconds(2))
        let script = try workspace.write("client.py", Self.client)
        let client = try workspace.start(inside + ["/usr/bin/python3", script], as: "client")
        try await Task.sleep(for: .seconds(12))
        client.kill()
        try await Task.sleep(for: .seconds(2))
        let dns = try await dns(workspace)
        _ = try await agent.stop()
        try check(dns)
    }

    @Test(.enabled(if: canCompare, "namespaces need root, iproute2 and dnsmasq"))
    func onlyWhatWasSentToTheResolverIsComparedWithItsLog() async throws {
        try await compare(", resolver: 127.0.0.1:53") { dns in
            let coverage = try #require(dns["coverage"] as? [String: Any])
            let ratio = try #require(coverage["ratio"] as? Double, "\(dns)")
            #expect(abs(ratio - 1) < 0.02 && coverage["cause"] is NSNull, "\(coverage)")
            let wire = try #require((dns["wire"] as? [String: Any])?["queries"] as? Double)
            let log = try #require((dns["log"] as? [String: Any])?["queries"] as? Double)
            #expect(log > 300 && abs(wire / log - 3) < 0.2, "\(wire) on the wire, \(log) in the log")
        }
    }

    @Test(.enabled(if: canCompare, "namespaces need root, iproute2 and dnsmasq"))
    func withoutTheResolversAddressThereIsNoRatio() async throws {
        try await compare("") { dns in
            let coverage = try #require(dns["coverage"] as? [String: Any])
            #expect(coverage["ratio"] is NSNull)
            #expect(coverage["cause"] as? String == "resolver_unknown")
        }
    }
}

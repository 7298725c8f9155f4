import Foundation
import Glibc
import Testing

/// What the source `drops` counts of what is really dropped, as the guide shows it, by an agent whose child has no privilege.
///
/// Tracepoints are of the whole host: what others drop meanwhile is counted too. So each count is at least what the experiment
/// has dropped, and exactly that in one of a few attempts.
@Suite(.enabled(if: DropExperiments.isPossible, "needs root, tracefs, iproute2, iptables and python3"), .serialized)
struct DropReasonTests {
    private static let attempts = 12
    private let id = "why\(UInt32.random(in: 0 ... .max))"

    private func configuration(_ workspace: Workspace, _ options: String = "") -> String {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: 2s, control_socket: \(workspace.path("sonde.sock")) }
        sources: [{ id: \(id), plugin: drops, level: all\(options) }]
        sinks: [{ id: local, plugin: file, path: \(workspace.path("points")), batch: { wait: 20ms } }]

        """
    }

    private func started(_ workspace: Workspace) async throws -> Agent {
        let agent = try workspace.startAgent(configuration(workspace))
        try await agent.waitForLog("counting at skb:kfree_skb")
        try await agent.waitForLines(in: "points")
        return agent
    }

    /// The sum of the last values of the series of a name with these attributes.
    private func count(_ agent: Agent, _ name: String, _ attributes: [String: String]) throws -> UInt64 {
        var values: [[String: String]: Double] = [:]
        for line in agent.lines(in: "points") where line.contains("\"\(name)\"") {
            let point = try PointLine(line)
            guard let own = point.attributes, attributes.allSatisfy({ own[$0.key] == $0.value }) else { continue }
            values[own] = point.value
        }
        return UInt64(values.values.reduce(0, +))
    }

    /// What a script prints.
    private func run(_ script: String, in workspace: Workspace) async throws -> String {
        let result = try await workspace.run(["/bin/bash", "-ec", script])
        try #require(result.end == .exited(0), "\(script)\n\(result.errors)")
        return result.output
    }

    /// Waits until everything that was counted before now has been written.
    private static let ofOthers: UInt64 = 5

    private func settle(_ agent: Agent) async throws {
        // Two collections that began after this.
        let seen = PointLine.times(agent.lines(in: "points")).count
        try await agent.waitForTimes(seen + 3, in: "points")
    }

    @Test func everyReasonOfTheGuideIsCountedToTheLastPacket() async throws {
        let unique = "d\(UUID().uuidString.prefix(8))"
        let experiments = DropExperiments(page: try Checkout.text("docs/guide/drops.md"), unique: unique)
        #expect(experiments.all.count >= 10)
        try await Workspace.use { workspace in
            let agent = try await started(workspace)
            do {
                _ = try await run(experiments.setup, in: workspace)
                for experiment in experiments.all { try await check(experiment, agent, workspace) }
            } catch {
                _ = try? await run(experiments.cleanup, in: workspace)
                throw error
            }
            _ = try await run(experiments.cleanup, in: workspace)
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("error["), "\(agent.log)")
        }
    }

    private func check(_ experiment: DropExperiments.Experiment, _ agent: Agent, _ workspace: Workspace) async throws {
        let key = ["sonde.drop.reason": experiment.reason, "network.type": experiment.network]
        var seen: [(counted: UInt64, dropped: UInt64)] = []
        repeat {
            try await settle(agent)
            let before = try count(agent, "sonde.drop.packet.count", key)
            let printed = try await run(experiment.script, in: workspace)
            let last = printed.split(whereSeparator: \.isNewline).last.flatMap { UInt64($0) }
            let dropped = try #require(experiment.count ?? last, "\(printed)")
            try await settle(agent)
            seen.append((try count(agent, "sonde.drop.packet.count", key) - before, dropped))
        } while seen.count < Self.attempts && seen.last.map { $0.counted != $0.dropped } == true
        #expect(
            seen.last.map { $0.counted == $0.dropped && $0.dropped > 0 } == true, "\(experiment.reason): \(seen)")
    }

    /// A client and a server of our own in a namespace: connections of a millisecond, refused ones, and resets.
    private static let connections = """
        import socket, struct, sys, threading
        family, host, count, refused, reset = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET, *sys.argv[1:2], \
        *map(int, sys.argv[2:5])
        server = socket.create_server((host, 0), family=family, backlog=1024, dualstack_ipv6=":" in host)
        def serve():
            for _ in range(count): server.accept()[0].close()
            for _ in range(reset):
                client = server.accept()[0]
                client.send(b"x")
                try: client.recv(1)
                except ConnectionResetError: client.close()
        thread = threading.Thread(target=serve)
        thread.start()
        for _ in range(count):
            client = socket.socket(family)
            client.connect(server.getsockname())
            client.recv(1)
            client.close()
        for _ in range(reset):
            client = socket.socket(family)
            client.connect(server.getsockname())
            client.recv(1)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        thread.join()
        server.close()
        # Not a port that a connection may get itself: it would be connected with itself.
        for _ in range(refused):
            client = socket.socket(family)
            try: client.connect((host, 9))
            except ConnectionRefusedError: pass
            client.close()
        """

    /// IPv4 is IPv4 also where an IPv6 socket carries it.
    @Test(arguments: [("ipv4", "127.0.0.1"), ("ipv6", "::1"), ("ipv4", "::ffff:127.0.0.1")])
    func handshakesAndResetsAreThoseOfAClientOfOurOwn(_ network: String, _ address: String) async throws {
        try await Workspace.use { workspace in
            let agent = try await started(workspace)
            let script = try workspace.write("connections.py", Self.connections)
            let names: [(String, [String: String])] =
                ["established", "failed", "accepted", "abandoned"].map {
                    ("sonde.trace.tcp.handshake.count", ["sonde.tcp.handshake.result": $0, "network.type": network])
                } + [
                    ("sonde.trace.tcp.reset.sent", ["sonde.tcp.reset.reason": "no_socket", "network.type": network]),
                    ("sonde.trace.tcp.reset.sent", ["sonde.tcp.reset.reason": "tcp_state", "network.type": network]),
                    ("sonde.trace.tcp.reset.received", ["network.type": network]),
                ]
            let wanted: [UInt64] = [10_100, 500, 10_100, 0, 500, 100, 600]
            var seen: [[UInt64]] = []
            repeat {
                try await settle(agent)
                let before = try names.map { try count(agent, $0.0, $0.1) }
                _ = try await run(
                    "unshare --net sh -c 'ip link set lo up; exec python3 \(script) \(address) 10000 500 100'",
                    in: workspace)
                try await settle(agent)
                seen.append(zip(try names.map { try count(agent, $0.0, $0.1) }, before).map { $0 - $1 })
                #expect(zip(seen.last ?? [], wanted).allSatisfy { $0 >= $1 }, "\(seen)")
            } while seen.count < Self.attempts && seen.last != wanted
            // A host on which something connects all the time has a few more, each time.
            #expect(zip(seen.last ?? [], wanted).allSatisfy { $0 <= $1 + Self.ofOthers }, "\(seen)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// Requests of connections that nobody answers: each is sent again, as often as the kernel does, and given up.
    ///
    /// Prints how often that was by the namespace's own count.
    private static let unanswered = """
        import socket
        clients = []
        for port in [80] * 20 + [8080] * 30 + [40000] * 40:
            client = socket.socket()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_SYNCNT, 1)
            client.setblocking(False)
            try: client.connect(("127.0.0.1", port))
            except BlockingIOError: clients.append(client)
        for client in clients:
            client.setblocking(True)
            try: client.send(b"x")
            except OSError: pass
        names, values = [line.split() for line in open("/proc/net/snmp") if line.startswith("Tcp:")]
        print(values[names.index("RetransSegs")])
        """

    @Test func retransmissionsAreCountedByStateAndRemotePort() async throws {
        try await Workspace.use { workspace in
            let agent = try await started(workspace)
            let script = try workspace.write("unanswered.py", Self.unanswered)
            let classes = ["system", "user", "dynamic"].map {
                ["network.connection.state": "syn_sent", "sonde.port.class": $0, "network.type": "ipv4"]
            }
            var wanted: [UInt64] = []
            var seen: [[UInt64]] = []
            repeat {
                try await settle(agent)
                let name = "sonde.trace.tcp.retransmission.count"
                let before = try classes.map { try count(agent, name, $0) }
                let rule = "iptables-legacy -A INPUT -p tcp -j DROP"
                let printed = try await run(
                    "unshare --net sh -c 'ip link set lo up; \(rule); exec python3 \(script)'", in: workspace)
                let total = try #require(UInt64(printed.trimmingCharacters(in: .whitespacesAndNewlines)))
                try #require(total >= 90 && total % 90 == 0, "\(printed)")
                wanted = [20, 30, 40].map { $0 * total / 90 }
                try await settle(agent)
                seen.append(zip(try classes.map { try count(agent, name, $0) }, before).map { $0 - $1 })
                #expect(zip(seen.last ?? [], wanted).allSatisfy { $0 >= $1 }, "\(seen)")
            } while seen.count < Self.attempts && seen.last != wanted
            // A host on which something connects all the time has a few more, each time.
            #expect(zip(seen.last ?? [], wanted).allSatisfy { $0 <= $1 + Self.ofOthers }, "\(seen)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// Whether any program of this source is loaded by one of these processes.
    private func programs(of process: pid_t) -> Int {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == "anon_inode:bpf-prog"
        }.count
    }

    /// The kernel's numbers of the programs that a process has.
    private func programNumbers(of process: pid_t) -> Set<String> {
        let folder = "/proc/\(process)/fdinfo"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return Set(
            names.compactMap { name in
                let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
                let line = text.split(separator: "\n").first { $0.hasPrefix("prog_id:") }
                return line.map { $0.dropFirst(8).trimmingCharacters(in: .whitespaces) }
            })
    }

    @Test(.enabled(if: access("/usr/sbin/bpftool", X_OK) == 0, "needs bpftool"), arguments: [true, false])
    func nothingIsLeftInTheKernelAfterKill9(_ ofTheChild: Bool) async throws {
        try await Workspace.use { workspace in
            let agent = try await started(workspace)
            let child = try #require(ProcessStatus.child(of: id))
            let confined = try #require(ProcessStatus(child))
            for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(confined.capabilities(set) == 0, "\(set)") }
            #expect(confined["Seccomp"] == "2" && confined["NoNewPrivs"] == "1")
            let numbers = programNumbers(of: child)
            #expect(numbers.count == 5 && programs(of: child) == 5)
            #expect(programs(of: agent.process.processID) == 0)
            kill(ofTheChild ? child : agent.process.processID, SIGKILL)
            var left = numbers
            for _ in 0..<200 where !left.isEmpty {
                let list = try await workspace.run(["/usr/sbin/bpftool", "prog", "show"])
                left = numbers.filter { number in
                    list.output.split(separator: "\n").contains { $0.hasPrefix("\(number): ") }
                }
            }
            #expect(left.isEmpty)
            guard ofTheChild else { return }
            // The agent starts another one, which counts from 0, and what was missed is a loss.
            try await agent.wait(until: "counting again") {
                agent.log.components(separatedBy: "counting at").count >= 3
            }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// An agent under another user, with these capabilities, in a namespace perhaps.
    private func refusal(
        _ workspace: Workspace, under prefix: [String], options: String = ""
    ) async throws -> (log: String, points: [Substring]) {
        let file = try workspace.write(
            "sonde.yaml",
            """
            version: 1
            agent: { interval: 100ms, shutdown_grace: 2s, control_socket: none }
            sources:
              - { id: \(id), plugin: drops\(options) }
              - { id: kernel, plugin: procnet }
            sinks: [{ id: local, plugin: stdout, format: json, batch: { wait: 20ms } }]

            """)
        let command = prefix + [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory
        let agent = Agent(process: try workspace.start(command, as: "agent"), workspace: workspace)
        try await agent.waitForLog("error[SND-DRP")
        // The other source goes on.
        try await agent.waitForTimes(3, in: "agent.out")
        #expect(try await agent.stop() == .exited(0))
        return (agent.log, agent.lines(in: "agent.out"))
    }

    private static let unprivileged = [
        "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--bounding-set", "-all",
    ]

    @Test(arguments: [
        (Self.unprivileged, "", "SND-DRP003"),
        (["/usr/bin/setpriv", "--bounding-set", "-bpf,-sys_admin"], "", "SND-DRP005"),
        (["/usr/bin/setpriv", "--bounding-set", "-perfmon,-sys_admin"], "", "SND-DRP005"),
        (["/usr/bin/unshare", "--user", "--map-root-user"], "", "SND-DRP005"),
        ([], ", tracing: /proc", "SND-DRP002"),
    ])
    func whatStandsInTheWayIsNamedAndTheOthersGoOn(
        _ prefix: [String], _ options: String, _ code: String
    ) async throws {
        try await Workspace.use { workspace in
            let (log, points) = try await refusal(workspace, under: prefix, options: options)
            let line = try #require(log.split(separator: "\n").first { $0.contains("error[SND-DRP") })
            #expect(line.contains("error[\(code)]"), "\(line)")
            if prefix.contains("--user") { #expect(line.contains("user namespace"), "\(line)") }
            if code == "SND-DRP005", !prefix.contains("--user") {
                #expect(
                    line.contains("CAP_BPF and CAP_PERFMON") && line.contains("unprivileged_bpf_disabled"), "\(line)")
            }
            #expect(!points.contains { $0.contains("sonde.drop.") || $0.contains("sonde.trace.") })
            #expect(points.contains { $0.contains("system.network.io") })
        }
    }

    @Test func aKernelWithoutReasonsIsNamed() async throws {
        try await Workspace.use { workspace in
            let fixture = Checkout.path("plugins/sources/drops/Tests/Fixtures/linux-5.10")
            let options = ", tracing: \(fixture), retransmissions: false, resets_sent: false"
            let (log, _) = try await refusal(workspace, under: [], options: options)
            #expect(log.contains("has no field 'reason' at its tracepoint skb:kfree_skb"), "\(log)")
            #expect(log.contains("from 5.17 on"))
        }
    }
}

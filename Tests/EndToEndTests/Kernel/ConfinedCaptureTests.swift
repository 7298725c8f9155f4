import Foundation
import Glibc
import Testing

/// Live capture in a process without any privilege, of an agent that has CAP_NET_RAW and nothing else.
@Suite(.enabled(if: Iproute.isInstalled && getuid() == 0, "namespaces need root and iproute2"))
struct ConfinedCaptureTests {
    private static let rawSockets: UInt64 = 1 << 13
    private static let sender = """
        import socket, sys
        out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        out.bind((sys.argv[1], 0))
        for _ in range(int(sys.argv[2])):
            out.send(bytes.fromhex("ffffffffffff" "020000000001" "88b5") + bytes(46))
        """

    private let namespace = "sonde-c\(UUID().uuidString.prefix(8))"
    private let id = "wire\(UInt32.random(in: 0 ... .max))"

    private func inside(_ command: [String]) -> [String] { ["/usr/sbin/ip", "netns", "exec", namespace] + command }

    private func ip(_ workspace: Workspace, _ lines: String...) async throws {
        for line in lines {
            let result = try await workspace.run(
                ["/usr/sbin/ip", "-n", namespace] + line.split(separator: " ").map(String.init))
            try #require(result.end == .exited(0), "\(line): \(result.errors)")
        }
    }

    private func addPair(_ workspace: Workspace, _ name: String, _ peer: String) async throws {
        try await ip(
            workspace, "link add \(name) type veth peer name \(peer)", "link set \(name) up", "link set \(peer) up")
        // What is sent before the kernel's queue has seen the carrier is dropped without an error.
        for end in [name, peer] {
            try await eventually("carrier of \(end)") {
                let command = ["/usr/sbin/ip", "-n", namespace, "-o", "link", "show", "dev", end]
                return try await workspace.run(command).output.contains(" state UP ")
            }
        }
    }

    /// The last value of a counter of an interface.
    private func count(_ agent: Agent, _ interface: String) throws -> UInt64 {
        let line = agent.lines(in: "agent.out").last {
            $0.contains("\"sonde.capture.packet.count\"") && $0.contains("\"network.interface.name\":\"\(interface)\"")
        }
        return try line.flatMap { try PointLine($0).value.map(UInt64.init) } ?? 0
    }

    private func send(_ workspace: Workspace, _ device: String, _ count: Int) async throws {
        let result = try await workspace.run(inside(["/usr/bin/python3", "-c", Self.sender, device, "\(count)"]))
        try #require(result.end == .exited(0), "\(result.errors)")
    }

    private func use(_ body: (Workspace) async throws -> Void) async throws {
        try await Workspace.use { workspace in
            let made = try await workspace.run(["/usr/sbin/ip", "netns", "add", namespace])
            try #require(made.end == .exited(0), "\(made.errors)")
            let settings = ["all", "default"].map { "net.ipv6.conf.\($0).disable_ipv6=1" }
            _ = try await workspace.run(inside(["/usr/sbin/sysctl", "-qw"] + settings))
            do { try await body(workspace) } catch {
                _ = try? await workspace.run(["/usr/sbin/ip", "netns", "del", namespace])
                throw error
            }
            _ = try await workspace.run(["/usr/sbin/ip", "netns", "del", namespace])
        }
    }

    /// An agent that captures on these interfaces, in the namespace.
    private func startAgent(_ workspace: Workspace, on interfaces: String, under prefix: [String] = []) throws -> Agent
    {
        let file = try workspace.write(
            "sonde.yaml",
            """
            version: 1
            agent: { interval: 200ms, shutdown_grace: 2s, control_socket: \(workspace.path("sonde.sock")) }
            sources: [{ id: \(id), plugin: pcap, level: all, interfaces: [\(interfaces)], buffer_size: 2MiB }]
            sinks: [{ id: console, plugin: stdout, format: json, batch: { wait: 20ms } }]

            """)
        let command = prefix + [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory
        return Agent(process: try workspace.start(inside(command), as: "agent"), workspace: workspace)
    }

    @Test func anInterfaceThatVanishesAndReturnsIsFollowedWithoutPrivileges() async throws {
        try await use { workspace in
            try await addPair(workspace, "va", "vb")
            try await addPair(workspace, "vc", "vd")
            let bounds = ["/usr/bin/setpriv", "--bounding-set", "-all,+net_raw"]
            let agent = try startAgent(workspace, on: "va, vc", under: bounds)
            try await agent.waitForLog("capturing on 'va'")
            try await send(workspace, "vb", 30)
            try await send(workspace, "vd", 20)
            try await agent.wait(until: "packets") { try count(agent, "va") == 30 && count(agent, "vc") == 20 }

            let child = try #require(ProcessStatus.child(of: id))
            let confined = try #require(ProcessStatus(child))
            for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] { #expect(confined.capabilities(set) == 0, "\(set)") }
            #expect((confined.capabilities("CapBnd") ?? .max) | Self.rawSockets == Self.rawSockets)
            #expect(confined["NoNewPrivs"] == "1" && confined["Seccomp"] == "2")
            let own = try #require(ProcessStatus(agent.process.processID))
            #expect(own.capabilities("CapPrm") == Self.rawSockets && own.capabilities("CapEff") == 0)

            try await ip(workspace, "link del va")
            try await agent.waitForLog("SND-PCP00")
            try await addPair(workspace, "va", "vb")
            try await agent.wait(until: "capturing again") {
                agent.log.components(separatedBy: "capturing on 'va'").count == 3
            }
            try await send(workspace, "vb", 12)
            try await send(workspace, "vd", 5)
            try await agent.wait(until: "more packets") { try count(agent, "va") == 42 && count(agent, "vc") == 25 }
            #expect(ProcessStatus.child(of: id) == child)
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("error["), "\(agent.log)")
        }
    }

    @Test func aKilledProcessIsStartedAgainAndWhatItMissedIsALoss() async throws {
        try await use { workspace in
            try await addPair(workspace, "va", "vb")
            let agent = try startAgent(workspace, on: "va")
            try await agent.waitForLog("capturing on 'va'")
            // Opened is not captured yet.
            try await send(workspace, "vb", 3)
            try await agent.wait(until: "the first packets") { try count(agent, "va") == 3 }
            kill(try #require(ProcessStatus.child(of: id)), SIGKILL)
            try await agent.wait(until: "capturing again") {
                agent.log.components(separatedBy: "capturing on 'va'").count == 3
            }
            try await send(workspace, "vb", 12)
            try await agent.wait(until: "packets") { try count(agent, "va") == 12 }
            let status = try await workspace.run([
                Checkout.sonde, "status", "--format", "json", "--socket", workspace.path("sonde.sock"),
            ])
            #expect(status.output.contains("{\"component\":\"\(id)\",\"reason\":\"process_ended\""), "\(status.output)")
            #expect(try await agent.stop() == .exited(0))
        }
    }

    /// Counters begin anew then, with a start of their own, and the time between is a loss.
    @Test func anInterfaceThatAppearsLaterIsOpenedByAFreshProcess() async throws {
        try await use { workspace in
            try await addPair(workspace, "vc", "vd")
            let agent = try startAgent(workspace, on: "va, vc")
            try await agent.waitForLog("capturing on 'vc'")
            try await send(workspace, "vd", 3)
            try await agent.wait(until: "the first packets") { try count(agent, "vc") == 3 }
            let first = try #require(ProcessStatus.child(of: id))
            try await addPair(workspace, "va", "vb")
            try await agent.waitForLog("SND-PCP012")
            try await agent.waitForLog("capturing on 'va'")
            try await send(workspace, "vb", 12)
            try await agent.wait(until: "packets") { try count(agent, "va") == 12 }
            #expect(ProcessStatus.child(of: id) != first)
            let status = try await workspace.run([
                Checkout.sonde, "status", "--format", "json", "--socket", workspace.path("sonde.sock"),
            ])
            #expect(
                status.output.contains("{\"component\":\"\(id)\",\"reason\":\"stream_interrupted\""),
                "\(status.output)")
            #expect(try await agent.stop() == .exited(0))
        }
    }
}

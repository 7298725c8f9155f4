import Foundation
import Glibc
import Testing

/// Traffic of a known rate between two namespaces, as snapshots, history and an export tell it.
@Suite(.enabled(if: Iproute.isInstalled && getuid() == 0, "namespaces need root and iproute2"))
struct KnownTrafficTests {
    /// Two namespaces that a veth pair connects, gone with the value.
    private final class Wire {
        let near = "sonde-a\(getpid())"
        let far = "sonde-b\(getpid())"
        private let workspace: Workspace

        init(_ workspace: Workspace) { self.workspace = workspace }

        func make() async throws {
            for words in [
                ["netns", "add", near], ["netns", "add", far],
                ["link", "add", "va", "netns", near, "type", "veth", "peer", "name", "vb", "netns", far],
                ["-n", near, "addr", "add", "10.99.0.1/24", "dev", "va"],
                ["-n", far, "addr", "add", "10.99.0.2/24", "dev", "vb"],
                ["-n", near, "link", "set", "va", "up"], ["-n", far, "link", "set", "vb", "up"],
            ] {
                let result = try await workspace.run(["/usr/sbin/ip"] + words)
                #expect(result.end == .exited(0), "\(words): \(result.errors)")
            }
        }

        func remove() async {
            for name in [near, far] { _ = try? await workspace.run(["/usr/sbin/ip", "netns", "del", name]) }
        }

        func inside(_ name: String, _ command: [String]) -> [String] {
            ["/usr/sbin/ip", "netns", "exec", name] + command
        }
    }

    // 1,000 bytes of payload: 8 of UDP, 20 of IPv4 and 14 of Ethernet come to them.
    private static let frame = 1_042.0
    private static let framesPerSecond = 200.0
    private static var rate: Double { frame * framesPerSecond }
    private static let burst = 400.0

    /// Sends a steady stream, and once a burst of frames as fast as they go; writes down the most frames that it was ever
    /// late by.
    private static let sender = """
        import os, socket, sys, time
        out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        out.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
        data = bytes(1000)
        begin = time.monotonic()
        sent, burst, late = 0, 6, 0
        while True:
            now = time.monotonic() - begin
            if now * \(Int(framesPerSecond)) - sent > late:
                late = now * \(Int(framesPerSecond)) - sent
                with open(sys.argv[1] + ".new", "w") as file:
                    file.write(str(late))
                os.rename(sys.argv[1] + ".new", sys.argv[1])
            while sent < now * \(Int(framesPerSecond)):
                out.sendto(data, ("10.99.0.1", 9))
                sent += 1
            if burst and now > burst:
                for _ in range(\(Int(burst))):
                    out.sendto(data, ("10.99.0.1", 9))
                burst = 0
            time.sleep(0.002)
        """

    private struct Point: Decodable {
        var time: String
        var average: Double
        var peak: Double?
        var coveredSeconds: Double
    }

    private func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent:
          interval: 500ms
          state_dir: \(workspace.path("state"))
          control_socket: \(workspace.path("sonde.sock"))
          shutdown_grace: 2s
        sources:
          - { id: kernel, plugin: procnet, level: all, interfaces: { include: [va] } }
          - { id: wire, plugin: pcap, level: all, interface: va, buffer_size: 4MiB }
        sinks: [{ id: local, plugin: file, path: \(workspace.path("local")) }]

        """
    }

    private func start(_ workspace: Workspace, _ wire: Wire) throws -> Agent {
        let file = try workspace.write("sonde.yaml", configuration(workspace))
        let command = [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory
        return Agent(process: try workspace.start(wire.inside(wire.near, command), as: "agent"), workspace: workspace)
    }

    private func points(_ workspace: Workspace, _ words: [String]) async throws -> [Point] {
        let result = try await workspace.run(
            [Checkout.sonde] + words + ["--metric", "bandwidth.receive", "--member", "va"]
                + ["--socket", workspace.path("sonde.sock")])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try result.output.split(separator: "\n").map { try decoder.decode(Point.self, from: Data($0.utf8)) }
    }

    /// Whether bytes are those that were sent: within 2 %, and what comes of programs that had to wait for the processor.
    private func isKnown(_ bytes: Double, _ expected: Double, _ delay: Double) -> Bool {
        abs(bytes - expected) < expected * 0.02 + delay
    }

    /// The most bytes that the sender was late by.
    private func delay(of workspace: Workspace) throws -> Double {
        let text = try String(contentsOfFile: workspace.path("late"), encoding: .utf8)
        return try #require(Double(text)) * Self.frame
    }

    /// What is sent while the thread of an agent waits that waited longest for the processor, of all its life: a counter is
    /// read so much later, at most, than its sample says (Documentation/scheduler/sched-stats.rst of the kernel).
    private func wait(of agent: Agent) -> Double {
        let tasks = "/proc/\(agent.process.processID)/task"
        let waits = ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).compactMap { task in
            (try? String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8))?
                .split(separator: " ").dropFirst().first.flatMap { Double($0) }
        }
        return (waits.max() ?? 0) / 1e9 * Self.rate
    }

    /// What the points' averages come to over the time that they speak of.
    private func bytes(_ points: [Point]) -> Double {
        points.reduce(0) { $0 + $1.average * $1.coveredSeconds }
    }

    @Test func averageAndPeakAreThoseOfTheTrafficAcrossARestartAndAKill() async throws {
        try await Workspace.use { workspace in
            let wire = Wire(workspace)
            try await wire.make()
            do {
                try await run(workspace, wire)
                await wire.remove()
            } catch {
                await wire.remove()
                throw error
            }
        }
    }

    private func run(_ workspace: Workspace, _ wire: Wire) async throws {
        let script = try workspace.write("sender.py", Self.sender)
        let sender = try workspace.start(
            wire.inside(wire.far, ["/usr/bin/python3", script, workspace.path("late")]), as: "sender")
        try await Task.sleep(for: .seconds(1))

        let first = try start(workspace, wire)
        try await Task.sleep(for: .seconds(10))
        let before = try await points(workspace, ["history", "--format", "ndjson"])
        var waits = wait(of: first)
        #expect(try await first.stop() == .exited(0))

        let killed = try start(workspace, wire)
        try await Task.sleep(for: .seconds(6))
        waits += wait(of: killed)
        killed.process.send(SIGKILL)
        _ = try await killed.process.waitForEnd(within: .seconds(10))
        let killTime = Date.now.formatted(.iso8601)

        let last = try start(workspace, wire)
        try await Task.sleep(for: .seconds(10))
        let asked = ContinuousClock.now
        let history = try await points(workspace, ["history", "--format", "ndjson"])
        let exported = try await points(workspace, ["export", "--format", "ndjson", "--output", "-"])
        let snapshot = try await workspace.run(
            [Checkout.sonde, "snapshot", "--format", "json", "--socket", workspace.path("sonde.sock")])
        let later = (ContinuousClock.now - asked) / .seconds(1)
        waits += wait(of: last)
        sender.kill()
        _ = try await last.stop()
        let delay = try self.delay(of: workspace) + waits

        for (name, points) in [("history", history), ("export", exported)] {
            #expect(points.allSatisfy { $0.average > 0 }, "\(name) shows a gap as nothing")
            // The first run, which was stopped, with its burst; the last one without; what the kill took is absent.
            let early = points.filter { known in before.contains { $0.time == known.time } }
            let late = points.filter { $0.time > killTime }
            #expect(early.count == before.count, "\(name) has lost what was there before the kill")
            let burst = Self.burst * Self.frame
            for (part, extra) in [(early, burst), (late, 0)] {
                let (bytes, seconds) = (bytes(part), part.reduce(0) { $0 + $1.coveredSeconds })
                let expected = Self.rate * seconds + extra
                // The step of 5 s in which the kill fell is in neither part, so that ten seconds may leave four.
                #expect(
                    seconds > 3 && isKnown(bytes, expected, delay), "\(name): \(bytes) of \(expected), \(delay) late")
            }
        }
        try check(snapshot.output, history)
        try checkWindow(snapshot.output, history, later, delay)
    }

    /// The window of a snapshot goes on over the restart and the kill: it has what the history has.
    private func checkWindow(_ snapshot: String, _ history: [Point], _ later: Double, _ delay: Double) throws {
        let document = try #require(JSONSerialization.jsonObject(with: Data(snapshot.utf8)) as? [String: Any])
        let bandwidth = try #require(document["bandwidth"] as? [String: Any])
        let interface = try #require((bandwidth["interfaces"] as? [String: Any])?["va"] as? [String: Any])
        let receive = try #require(interface["receive"] as? [String: Any])
        let average = try #require(receive["average"] as? Double)
        let covered = try #require(interface["covered_seconds"] as? Double)
        let known = history.reduce(0) { $0 + $1.coveredSeconds }
        // The history was asked earlier, and its first steps may be older than the first reading.
        #expect(
            covered > 14 && abs(covered - known) < 6 + later,
            "\(covered) s, and \(known) s in the history, asked \(later) s before")
        let expected = Self.rate + Self.burst * Self.frame / covered
        #expect(isKnown(average * covered, expected * covered, delay), "\(average) of \(expected), \(delay) late")
        #expect(bandwidth["covered_seconds"] as? Double == covered)
        // Everything that came was captured: the kernel says so of the same bytes.
        let coverage = try #require(bandwidth["coverage"] as? [String: Any])
        let ratio = try #require(coverage["ratio"] as? Double)
        #expect(abs(ratio - 1) < 0.02 && coverage["cause"] is NSNull, "\(coverage)")
    }

    private func check(_ snapshot: String, _ history: [Point]) throws {
        let document = try #require(JSONSerialization.jsonObject(with: Data(snapshot.utf8)) as? [String: Any])
        let bandwidth = try #require(document["bandwidth"] as? [String: Any])
        #expect(bandwidth["uplinks"] as? [String] == ["va"])
        let step = try #require(bandwidth["peak_step_seconds"] as? Double)
        let receive = try #require(bandwidth["receive"] as? [String: Any])
        // A burst may lie in two steps of the sampling, or come together with the steady stream of one. It was in the first
        // run; the window of the last one has it from the history.
        let whole = Self.burst * Self.frame / step + Self.rate
        let peak = try #require(history.compactMap(\.peak).max())
        #expect(peak > whole * 0.45 && peak < whole * 1.3, "\(peak) of \(whole) in \(step) s")
        // The host's peak is a sum over its uplinks: of one. What the history restores differs in the last digit of a division.
        let host = try #require(receive["peak"] as? Double)
        #expect(abs(host / peak - 1) < 1e-12, "\(host) and \(peak)")
        let interface = (bandwidth["interfaces"] as? [String: Any])?["va"] as? [String: Any]
        let values = try #require(interface?["receive"] as? [String: Any])
        let own = try #require(values["peak"] as? Double)
        #expect(abs(own / peak - 1) < 1e-12, "\(own) and \(peak)")
        #expect((values["current"] as? Double ?? 0) >= Self.rate * 0.8)
    }
}

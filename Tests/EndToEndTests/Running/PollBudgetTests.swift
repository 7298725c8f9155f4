import Foundation
import Glibc
import Testing

/// A quiet agent sleeps: what it wakes up for is counted from outside.
///
/// The readings of uplinks for the peak are wake-ups that were asked for: they are switched off here.
@Suite struct PollBudgetTests {
    /// Whether strace is installed and may trace its own children.
    private static func canTrace() async -> Bool {
        guard access("/usr/bin/strace", X_OK) == 0 else { return false }
        let probe = try? ProcessGroup(
            ["/usr/bin/strace", "-o", "/dev/null", "/bin/true"],
            environment: [:],
            streams: ProcessGroup.Streams()
        )
        return (try? await probe?.waitForEnd()) == .exited(0)
    }

    @Test(.enabled("strace cannot be used here", { await canTrace() }))
    func anAgentThatCollectsEverySecondWaitsTwiceASecondAtMost() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write(
                "sonde.yaml",
                """
                version: 1
                agent: { interval: 1s }
                sources: [{ id: kernel, plugin: procnet, level: all, peak_rate: 0 }]
                sinks: [{ id: local, plugin: file, path: \(workspace.path("local")) }]

                """
            )
            let calls = "trace=poll,ppoll,epoll_wait,epoll_pwait,epoll_pwait2,restart_syscall"
            let tracer = [
                "/usr/bin/strace", "-f", "-ttt", "-e", calls, "-e", "signal=none", "-o", workspace.path("calls"),
            ]
            let process = try workspace.start(
                tracer + [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory,
                as: "agent"
            )
            // The agent settles for two seconds after its start; the window begins behind that.
            try await eventually("four collections") {
                PointLine.times(PointLine.whole(workspace.read("local"))).count > 3
            }
            let from = Date.now.timeIntervalSince1970
            try await eventually("ten seconds are over") { Date.now.timeIntervalSince1970 > from + 10 }
            let lines = workspace.read("calls").split(separator: "\n")
            // Before it come the ends of the children in which plugins were tried.
            let main = lines.first { $0.contains("epoll_wait(") }
            let agent = try #require(main.flatMap { $0.split(separator: " ").first }.flatMap { pid_t($0) })
            kill(agent, SIGTERM)
            #expect(try await process.waitForEnd() == .exited(0))
            let returned = lines.filter { line in
                let words = line.split(separator: " ")
                guard words.count > 2, let time = Double(words[1]), line.contains(") = ") else { return false }
                return (from..<from + 10).contains(time)
            }
            #expect(returned.count >= 10)
            #expect(returned.count <= 22, "\(returned.joined(separator: "\n"))")
        }
    }
}

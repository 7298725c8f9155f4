import Glibc

/// A running `sonde run`.
struct Agent {
    let process: ChildProcess
    let workspace: Workspace

    /// What it wrote to standard error so far.
    var log: String { workspace.read("agent.err") }

    /// What it wrote to standard output so far.
    var output: String { workspace.read("agent.out") }

    /// Waits until the log has this text.
    func waitForLog(_ text: String, within limit: Duration = .seconds(20)) async throws {
        try await eventually("the log says '\(text)'", within: limit) { log.contains(text) }
    }

    /// Waits until a file of the workspace has at least this many whole lines.
    func waitForLines(_ count: Int = 1, in name: String) async throws {
        try await eventually("\(count) lines in \(name); log: \(log)") { PointLine.whole(workspace.read(name)).count >= count }
    }

    /// Waits until the points in a file have at least this many different times.
    func waitForTimes(_ count: Int, in name: String) async throws {
        try await eventually("\(count) times in \(name)") {
            PointLine.times(PointLine.whole(workspace.read(name))).count >= count
        }
    }

    /// Asks it to stop and waits for its end.
    func stop(_ signal: Int32 = SIGTERM, within limit: Duration = .seconds(20)) async throws -> ChildProcess.End {
        process.send(signal)
        return try await process.waitForEnd(within: limit)
    }
}

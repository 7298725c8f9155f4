import Glibc

/// A running `sonde run`.
struct Agent {
    /// It ended while a test waited for something else.
    struct Ended: Error, CustomStringConvertible {
        let condition: String
        let log: String

        var description: String { "the agent ended before: \(condition); its log:\n\(log)" }
    }

    let process: ProcessGroup
    let workspace: Workspace

    /// What it wrote to standard error so far.
    var log: String { workspace.read("agent.err") }

    /// What it wrote to standard output so far.
    var output: String { workspace.read("agent.out") }

    /// The whole lines in a file of the workspace.
    func lines(in name: String) -> [Substring] {
        PointLine.whole(workspace.read(name))
    }

    /// Waits until the log has this text.
    func waitForLog(_ text: String) async throws {
        try await wait(until: "the log says '\(text)'") { log.contains(text) }
    }

    /// Waits until a file of the workspace has a whole line.
    func waitForLines(in name: String) async throws {
        try await wait(until: "lines in \(name)") { !lines(in: name).isEmpty }
    }

    /// Waits until the points in a file have at least this many different times.
    func waitForTimes(_ count: Int, in name: String) async throws {
        try await wait(until: "\(count) times in \(name)") { PointLine.times(lines(in: name)).count >= count }
    }

    /// Waits until a condition holds while it runs.
    func wait(until condition: String, _ body: () throws -> Bool) async throws {
        try await eventually(condition) {
            let hasEnded = process.hasEnded()
            guard try !body() else { return true }
            guard !hasEnded else { throw Ended(condition: condition, log: log) }
            return false
        }
    }

    /// Asks it to stop and waits for its end.
    func stop(_ signal: Int32 = SIGTERM, within limit: Duration = .seconds(20)) async throws -> ProcessGroup.End {
        process.send(signal)
        return try await process.waitForEnd(within: limit)
    }
}

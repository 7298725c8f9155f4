import Foundation
import Glibc
import Testing

/// An agent whose wall clock shows 1970 until it is set, as on a host without a battery.
@Suite struct WrongClockTests {
    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 100ms, state_dir: \(workspace.path("state")), shutdown_grace: 2s }
        sources:
          - { id: kernel, plugin: procnet, level: all, proc: \(Checkout.proc("container")) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    private static func seconds(_ text: String) throws -> Double {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try style.parse(text).timeIntervalSince1970
    }

    private static func waitUntilItHolds(_ count: Int, _ workspace: Workspace) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(20))
        while try await held(workspace) < count { try #require(ContinuousClock.now < deadline, "it holds nothing") }
    }

    /// How many samples an agent says that it holds.
    private static func held(_ workspace: Workspace) async throws -> Int {
        let text = try await workspace.run([Checkout.sonde, "status", "-c", workspace.path("sonde.yaml")]).output
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.contains("agent SND-RUN011"), let found = words.firstMatch(of: /is right, (\d+) so far/) else {
            return 0
        }
        return Int(found.1) ?? 0
    }

    @Test func whatIsReadIn1970IsDeliveredWithTheRightTimesOnceTheClockIsSet() async throws {
        try await Workspace.use { workspace in
            let clock = try await MovedClock(in: workspace)
            let began = Date().timeIntervalSince1970
            try clock.move(by: 40 - began)
            let agent = try workspace.startAgent(Self.configuration(workspace), environment: clock.environment)
            try await agent.waitForLog("error[SND-RUN011] the clock shows 1970-01-01T00:00:4")
            try await Self.waitUntilItHolds(100, workspace)
            #expect(agent.lines(in: "local").isEmpty)
            let set = Date().timeIntervalSince1970
            try clock.move(by: 0)
            try await agent.waitForLog("the clock is taken for right; ")
            try await agent.waitForTimes(15, in: "local")
            #expect(try await agent.stop() == .exited(0))
            let ended = Date().timeIntervalSince1970

            let points = try PointLine.all(workspace.read("local"))
            let times = try points.filter { $0.name.hasPrefix("system.") }.map { try Self.seconds($0.time) }
            #expect(times == times.sorted())
            #expect(times.allSatisfy { $0 >= began - 1 && $0 <= ended + 1 })
            #expect(times.filter { $0 < set }.count > 10)
            let starts = try Set(points.compactMap(\.start)).map(Self.seconds)
            #expect(!starts.isEmpty && starts.allSatisfy { $0 >= began - 1 && $0 <= ended + 1 })
            #expect(!agent.log.contains("lost"))
        }
    }

    @Test func whatIsHeldWhenTheAgentStopsIsCountedAndTheNextOneDoesNotKnowIt() async throws {
        try await Workspace.use { workspace in
            let clock = try await MovedClock(in: workspace)
            try clock.move(by: 40 - Date().timeIntervalSince1970)
            let agent = try workspace.startAgent(Self.configuration(workspace), environment: clock.environment)
            try await Self.waitUntilItHolds(100, workspace)
            #expect(try await agent.stop() == .exited(0))
            #expect(agent.log.contains("(clock_suspect)"))
            #expect(agent.lines(in: "local").isEmpty)

            let next = try workspace.startAgent(Self.configuration(workspace))
            try await next.waitForTimes(2, in: "local")
            #expect(try await next.stop() == .exited(0))
            #expect(!workspace.read("local").contains(#""time":"1970"#))
        }
    }
}

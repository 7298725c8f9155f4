import Foundation
import Testing

/// The numbers of the running kernel agree with what iproute2 reads of it.
@Suite(.enabled(if: Iproute.isInstalled, "iproute2 is not installed"))
struct LiveKernelTests {
    /// What the agent collects between two readings of the same tool.
    private static func collect(
        _ workspace: Workspace,
        _ reading: (Workspace) async throws -> [String: Double]
    ) async throws -> (before: [String: Double], points: [PointLine], after: [String: Double]) {
        let file = try workspace.write(
            "all.yaml",
            """
            version: 1
            sources: [{ id: kernel, plugin: procnet, level: all }]
            sinks: [{ id: console, plugin: stdout, format: json }]

            """)
        let before = try await reading(workspace)
        let result = try await workspace.sonde("once", "-c", file, "--format", "json")
        let after = try await reading(workspace)
        #expect(result.end == .exited(0))
        let lines = PointLine.whole(result.output).filter { !$0.hasPrefix(#"{"schema""#) }
        return (before, try lines.map { try PointLine($0) }, after)
    }

    /// The keys for which a value does not lie between the readings.
    private static func outside(
        _ values: [String: Double],
        _ before: [String: Double],
        _ after: [String: Double]
    ) -> [String] {
        values.compactMap { key, value in
            guard let low = before[key], let high = after[key] else { return nil }
            return low <= value && value <= high ? nil : "\(key): \(low) <= \(value) <= \(high)"
        }
    }

    @Test func interfaceCountersLieBetweenTwoReadingsOfIp() async throws {
        try await Workspace.use { workspace in
            let (before, points, after) = try await Self.collect(workspace, Iproute.links)
            var values: [String: Double] = [:]
            for point in points {
                guard let key = Iproute.linkKey(of: point) else { continue }
                values[key] = point.value
            }
            #expect(Self.outside(values, before, after) == [])
            #expect(values["lo/system.network.io/receive"] != nil)
            // Interfaces that came or went meanwhile may be in one and not in the other.
            #expect(before.keys.filter { after[$0] != nil && values[$0] == nil } == [])
        }
    }

    @Test func whatIsNotReadInEveryCollectionIsCollectedOnceToo() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("once", "--format", "json")
            let points = try PointLine.all(result.output.replacing(/\{"schema".*\n/, with: ""))
            #expect(points.contains { $0.name == "system.network.connections" })
            let keys = points.map { "\($0.name) \($0.attributes ?? [:]) \($0.labels ?? [:])" }
            #expect(Set(keys).count == keys.count)
        }
    }

    @Test func protocolCountersLieBetweenTwoReadingsOfNstat() async throws {
        try await Workspace.use { workspace in
            let (before, points, after) = try await Self.collect(workspace, Iproute.counters)
            var values: [String: Double] = [:]
            for point in points where point.kind == "counter" {
                guard let key = Iproute.counterKey(of: point) else { continue }
                // nstat's JSON has the lower 32 bits of a counter.
                values[key] = point.value?.truncatingRemainder(dividingBy: 4_294_967_296)
            }
            #expect(Self.outside(values, before, after) == [])
            let compared = values.keys.filter { before[$0] != nil }
            #expect(compared.count > 100)
            for name in Iproute.namedCounters.values where before[name] != nil {
                #expect(compared.contains(name), "\(name)")
            }
        }
    }

    /// Other programs open and close sockets all the time: the moment in which none did is looked for.
    @Test func socketTotalsAreThoseOfSs() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(
                """
                version: 1
                agent: { interval: 100ms }
                sources: [{ id: kernel, plugin: procnet, level: all, tables: [sockstat, sockstat6] }]
                sinks: [{ id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 1ms } }]

                """
            )
            var attempts: [String] = []
            for _ in 0..<60 {
                let before = try await Iproute.sockets(workspace)
                let seen = PointLine.times(agent.lines(in: "local")).count
                try await agent.waitForTimes(seen + 3, in: "local")
                // The newest time may not be complete yet.
                let points = try PointLine.all(workspace.read("local"))
                let time = try #require(Set(points.map(\.time)).sorted().dropLast().last)
                let after = try await Iproute.sockets(workspace)
                let values = Iproute.sockets(points.filter { $0.time == time })
                if before == after, values == after { return #expect(values.count == 6) }
                attempts.append("\(before) \(values) \(after)")
            }
            Issue.record("never the same: \(attempts.suffix(3))")
        }
    }
}

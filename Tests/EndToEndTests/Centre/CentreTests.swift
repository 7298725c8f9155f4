import Foundation
import Testing

/// Real central servers: what the shipped examples send them is there, with the values that the agent shows.
struct CentreTests {
    /// An example of `config/`, sent to `server`, with a state directory and plugins of this checkout, an interval of a second
    /// and a file beside it that has the same samples.
    static func configuration(_ example: String, _ server: MetricServer, _ workspace: Workspace) throws
        -> String
    {
        let text = try Checkout.text("config/examples/\(example).yaml")
        let port = try #require(text.firstMatch(of: /127\.0\.0\.1:\d+/)).output
        return text.replacing(port, with: server.address)
            .replacing("/var/lib/sonde", with: workspace.path("state"))
            .replacing("interval: 10s", with: "interval: 1s")
            .replacing("plugin: procnet", with: "plugin: procnet, level: all")
            + "  - { id: page, plugin: file, path: \(workspace.path("page")), format: prometheus }\n"
            + "  - { id: lines, plugin: file, path: \(workspace.path("lines")) }\n"
    }

    @Test func inContinuousIntegrationTheServersAreThere() {
        guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
        #expect(MetricServer.Program.prometheus.isInstalled)
        #expect(MetricServer.Program.victoriaMetrics.isInstalled)
        #expect(Python.withOTLP != nil)
        #expect(Python.withRemoteWrite != nil)
    }

    @Test(.enabled(if: MetricServer.Program.prometheus.isInstalled, "make servers"))
    func prometheusHasEverySeriesWithItsLastValue() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.prometheus, workspace)
            let lines = try await Self.expectTheSame(in: server, "prometheus", workspace)
            try await Self.expectStarts(in: server, lines)
        }
    }

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func victoriaMetricsHasEverySeriesWithItsLastValue() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.victoriaMetrics, workspace)
            try await Self.expectTheSame(in: server, "victoriametrics", workspace)
        }
    }

    /// Runs an agent for some intervals and compares what the server has with the file beside it.
    @discardableResult
    static func expectTheSame(
        in server: MetricServer,
        _ example: String,
        _ workspace: Workspace,
        path: (example: String, server: String) = ("", "")
    ) async throws -> [PointLine] {
        let text = try configuration(example, server, workspace).replacing(path.example, with: path.server)
        let agent = try workspace.startAgent(text)
        try await agent.waitForTimes(4, in: "lines")
        #expect(try await agent.stop() == .exited(0))
        let expected = ExpositionPage.samples(workspace.read("page")).filter { !OwnSeries.has($0.key) }
        #expect(expected.count > 300)
        var stored: [String: [MetricServer.Sample]] = [:]
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            stored = try await server.samples(of: #"{job="sonde"}"#)
        } while ContinuousClock.now < end && differences(expected, stored) != []
        #expect(differences(expected, stored) == [])
        #expect(stored.keys.contains { $0.hasPrefix("sonde_agent_uptime_seconds") })
        #expect(Set(stored.keys.filter { !OwnSeries.has($0) }).subtracting(expected.keys) == [])
        #expect(!agent.log.contains("error"))
        return try PointLine.all(workspace.read("lines").replacing(/\{"schema".*\n/, with: ""))
    }

    /// The series whose last sample is not the expected one.
    private static func differences(
        _ expected: [String: MetricServer.Sample],
        _ stored: [String: [MetricServer.Sample]]
    ) -> [String] {
        expected.compactMap { key, sample in
            let last = stored[key]?.last
            let isThere = last?.isTheSame(as: sample) == true
            return isThere ? nil : "\(key): \(sample), stored \(last.map { "\($0)" } ?? "nothing")"
        }.sorted()
    }

    /// Counters that began with the agent are 0 at their start.
    private static func expectStarts(in server: MetricServer, _ lines: [PointLine]) async throws {
        let counters = lines.filter { $0.name == "sonde.source.collection.count" && $0.start != nil }
        let start = try #require(counters.first?.start)
        let time = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(start).timeIntervalSince1970
        let stored = try await server.samples(of: "sonde_source_collection_count_total")
        #expect(!stored.isEmpty)
        for samples in stored.values {
            #expect(samples.first == MetricServer.Sample(milliseconds: Int64((time * 1_000).rounded()), value: 0))
        }
    }

    @Test(.enabled(if: MetricServer.Program.prometheus.isInstalled, "make servers"), arguments: [true, false])
    func seriesEndWithTheAgentWhereThatIsAskedFor(isAskedFor: Bool) async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.prometheus, workspace)
            let text = try Self.configuration("prometheus", server, workspace)
                .replacing(
                    "format: prometheus_remote_write",
                    with: "format: prometheus_remote_write\n    stale_on_stop: \(isAskedFor)")
            let agent = try workspace.startAgent(text)
            try await agent.waitForTimes(3, in: "lines")
            #expect(try await server.currentSeries(of: #"{job="sonde"}"#).count > 300)
            #expect(try await agent.stop() == .exited(0))
            let left = try await server.currentSeries(of: #"{job="sonde"}"#)
            #expect(isAskedFor ? left.isEmpty : left.count > 300)
            guard isAskedFor else { return }
            // What it sends after a restart is later than the ends.
            let times = PointLine.times(agent.lines(in: "lines")).count
            let next = try workspace.startAgent(text)
            try await next.waitForTimes(times + 3, in: "lines")
            let end = ContinuousClock.now + .seconds(20)
            while try await server.currentSeries(of: #"{job="sonde"}"#).count <= 300, ContinuousClock.now < end {}
            #expect(try await server.currentSeries(of: #"{job="sonde"}"#).count > 300)
            #expect(try await next.stop() == .exited(0))
            #expect(!next.log.contains("rejected"))
        }
    }

    @Test(.enabled(if: MetricServer.Program.prometheus.isInstalled && getuid() == 0, "make servers, and root"))
    func aRemovedInterfaceGoesStaleAndNothingElseDoes() async throws {
        try await Self.expectARemovedInterfaceToEnd(in: .prometheus, "prometheus")
    }

    static func expectARemovedInterfaceToEnd(
        in program: MetricServer.Program,
        _ example: String,
        path: (example: String, server: String) = ("", "")
    ) async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(
                program, workspace, inNamespace: "ip link add d0 type veth peer name d1; ip link set d0 up")
            let text = try configuration(example, server, workspace).replacing(path.example, with: path.server)
            let file = try workspace.write("sonde.yaml", text)
            let process = try workspace.start(
                server.prefix + [Checkout.sonde, "run", "-c", file] + Workspace.pluginDirectory, as: "agent")
            let agent = Agent(process: process, workspace: workspace)
            try await agent.waitForTimes(4, in: "lines")
            let all = #"{job="sonde",__name__=~"system_.*|sonde_network_interface_.*"}"#
            var before: Set<String> = []
            var ofInterface: Set<String> = []
            // VictoriaMetrics shows what it has taken a second later.
            let start = ContinuousClock.now
            repeat {
                before = try await server.currentSeries(of: all)
                ofInterface = before.filter { $0.contains(#"network_interface_name="d"#) }
            } while ContinuousClock.now < start + .seconds(10) && ofInterface.count <= 5
            #expect(ofInterface.count > 5)
            let result = try await workspace.run(server.prefix + ["/usr/sbin/ip", "link", "delete", "d0"])
            #expect(result.end == .exited(0))
            let times = PointLine.times(agent.lines(in: "lines")).count
            // Two intervals, and the one that was under way.
            try await agent.waitForTimes(times + 3, in: "lines")
            var after: Set<String> = []
            let end = ContinuousClock.now + .seconds(10)
            repeat {
                after = try await server.currentSeries(of: all)
            } while ContinuousClock.now < end && !after.isDisjoint(with: ofInterface)
            #expect(after.isDisjoint(with: ofInterface))
            #expect(before.subtracting(ofInterface).subtracting(after) == [])
            #expect(try await agent.stop() == .exited(0))
        }
    }
}

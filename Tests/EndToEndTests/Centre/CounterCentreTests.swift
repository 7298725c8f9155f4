import Testing

/// Counters that wrap and counters that start again, at real servers.
struct CounterCentreTests {
    /// What the fixture counts in a second.
    private static let rate = 1e8

    @Test(.enabled(if: MetricServer.Program.prometheus.isInstalled, "make servers"))
    func aWrapAndAResetAreNoNegativeOrAbsurdRateInPrometheus() async throws {
        try await Self.expectRates(in: .prometheus, version: 2)
    }

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func aWrapAndAResetAreNoNegativeOrAbsurdRateInVictoriaMetrics() async throws {
        try await Self.expectRates(in: .victoriaMetrics, version: 1)
    }

    private static func expectRates(in program: MetricServer.Program, version: Int) async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(program, workspace)
            let plugins = try await CPluginTests.compile("counts", in: workspace)
            let agent = try workspace.startAgent(
                """
                version: 1
                agent: { interval: 200ms, state_dir: \(workspace.path("state")) }
                sources: [ { id: counts, plugin: counts } ]
                sinks:
                  - id: central
                    plugin: http
                    format: prometheus_remote_write
                    version: \(version)
                    url: http://\(server.address)/api/v1/write
                  - { id: lines, plugin: file, path: \(workspace.path("lines")) }

                """, pluginDirectories: [plugins])
            try await agent.wait(until: "a counter has wrapped and another one started again three times") {
                agent.lines(in: "lines").count { $0.contains("acme.truth") } > 37
            }
            #expect(try await agent.stop() == .exited(0))
            #expect(!agent.log.contains("error"))
            let lines = agent.lines(in: "lines").filter { $0.contains(#""name":"acme."#) }
            try expectStarts(PointLine.all(lines.joined(separator: "\n") + "\n").filter { $0.kind == "counter" })
            let truth = try await samples("acme_truth", in: server, lines.count { $0.contains("acme.truth") })
            try await expectAWrap(truth, in: server)
            try await expectResets(truth, in: server)
        }
    }

    /// A counter falls only where it has a new start.
    private static func expectStarts(_ points: [PointLine]) throws {
        for (name, points) in Dictionary(grouping: points, by: \.name) {
            var falls = 0
            for (old, new) in zip(points, points.dropFirst()) {
                let (before, after) = (try #require(old.value), try #require(new.value))
                guard after < before else {
                    #expect(old.start == new.start, "\(name) at \(new.time)")
                    continue
                }
                falls += 1
                #expect(try #require(new.start) >= old.time && new.start != old.start, "\(name) at \(new.time)")
            }
            #expect(name == "acme.restart" ? falls >= 3 : falls == 0, "\(name)")
        }
    }

    /// The samples of a metric with one series, when the server has so many.
    private static func samples(_ name: String, in server: MetricServer, _ count: Int) async throws
        -> [MetricServer.Sample]
    {
        var samples: [MetricServer.Sample] = []
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            let table = try await server.samples(of: name)
            #expect(table.count <= 1)
            samples = table.values.first ?? []
        } while ContinuousClock.now < end && samples.count < count
        #expect(samples.count == count, "\(name)")
        return samples
    }

    /// The counter goes on past its end, with what was really counted from sample to sample.
    private static func expectAWrap(_ truth: [MetricServer.Sample], in server: MetricServer) async throws {
        let stored = try await samples("acme_wrap_total", in: server, truth.count)
        #expect(steps(stored) == steps(truth))
        let end = Double(UInt32.max)
        #expect(try #require(stored.first).value < end)
        #expect(try #require(stored.last).value > end)
        let rates = try await rates("acme_wrap_total", truth, in: server)
        #expect(rates.allSatisfy { (0.5 * rate...1.5 * rate).contains($0) }, "\(rates)")
        let ratio = try await increase("acme_wrap_total", truth, in: server)
        #expect((0.9...1.1).contains(ratio), "\(ratio) of what was counted")
    }

    /// What was counted between the last sample before a reset and the reset is lost, and nothing is made up.
    private static func expectResets(_ truth: [MetricServer.Sample], in server: MetricServer) async throws {
        let stored = try await samples("acme_restart_bytes_total", in: server, truth.count)
        let pairs = zip(steps(stored), steps(truth))
        #expect(pairs.allSatisfy { $0.milliseconds == $1.milliseconds && ($0.value == $1.value || $0.value < 0) })
        #expect(pairs.count { $0.0.value < 0 } >= 3)
        let rates = try await rates("acme_restart_bytes_total", truth, in: server)
        #expect(rates.allSatisfy { (0...1.5 * rate).contains($0) }, "\(rates)")
        let ratio = try await increase("acme_restart_bytes_total", truth, in: server)
        #expect((0.5...1.1).contains(ratio), "\(ratio) of what was counted")
    }

    /// What each sample adds to the one before.
    private static func steps(_ samples: [MetricServer.Sample]) -> [MetricServer.Sample] {
        zip(samples, samples.dropFirst()).map {
            MetricServer.Sample(milliseconds: $1.milliseconds, value: $1.value - $0.value)
        }
    }

    /// The rates of a second, at each fifth of one in the time in which there are samples.
    private static func rates(_ name: String, _ truth: [MetricServer.Sample], in server: MetricServer) async throws
        -> [Double]
    {
        let (first, last) = (try #require(truth.first).milliseconds, try #require(truth.last).milliseconds)
        let values = try await server.values(of: "rate(\(name)[1s])", (first + 1_000)...last, step: 200)
        #expect(values.count == 1)
        let rates = values.values.first?.map(\.value) ?? []
        #expect(rates.count > 25, "\(name)")
        return rates
    }

    /// The increase over the whole run, as a share of what was counted in it.
    private static func increase(_ name: String, _ truth: [MetricServer.Sample], in server: MetricServer) async throws
        -> Double
    {
        let (first, last) = (try #require(truth.first), try #require(truth.last))
        let query = "increase(\(name)[\(last.milliseconds - first.milliseconds + 1)ms])"
        let values = try await server.values(of: query, last.milliseconds...last.milliseconds, step: 1_000)
        let increase = try #require(values.values.first?.last).value
        return increase / (last.value - first.value)
    }
}

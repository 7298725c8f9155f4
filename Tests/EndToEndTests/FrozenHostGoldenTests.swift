import Testing

/// What the agent writes about a frozen /proc, byte for byte.
@Suite struct FrozenHostGoldenTests {
    /// What the agent reports of itself differs from run to run.
    private static let others = "metrics: { exclude: [sonde.agent.*, sonde.source.*, sonde.sink.*] }"

    private static func configuration(_ workspace: Workspace) -> String {
        """
        version: 1
        agent: { interval: 1h, host: probe-1, labels: { site: fra1, rack: "a 7" } }
        sources:
          - id: kernel
            plugin: procnet
            level: all
            proc: \(Checkout.proc("linux-6.18"))
            tables: [dev, snmp, sockstat]
            labels: { role: edge }
        sinks:
          - { id: j, plugin: file, path: \(workspace.path("json")), batch: { wait: 20ms }, \(others) }
          - { id: i, plugin: file, path: \(workspace.path("influx")), format: influx, batch: { wait: 20ms }, \(others) }
          - { id: p, plugin: file, path: \(workspace.path("prometheus")), format: prometheus, batch: { wait: 20ms }, \(others) }

        """
    }

    @Test func everyFormatOfTheFileSinkIsAsItWas() async throws {
        try await Workspace.use { workspace in
            let agent = try workspace.startAgent(Self.configuration(workspace))
            for format in TimelessText.Format.allCases { try await agent.waitForLines(in: format.rawValue) }
            #expect(try await agent.stop() == .exited(0))
            for format in TimelessText.Format.allCases {
                let batches = TimelessText.batches(workspace.read(format.rawValue), format)
                // The collection at the start and the final one; nothing has changed between them.
                #expect(batches.count == 2)
                #expect(batches.first?.text == batches.last?.text)
                try Golden.expect(batches.first?.text ?? "", equals: "frozen-host.\(format)")
            }
        }
    }

    @Test func collectingOnceAsJSONIsTheSameBatchAndItsSnapshots() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("sonde.yaml", Self.configuration(workspace))
            let result = try await workspace.sonde("once", "-c", file, "--format", "json")
            #expect(result.end == .exited(0))
            #expect(result.errors == "")
            let lines = PointLine.whole(result.output)
            let snapshots = lines.filter { $0.hasPrefix(#"{"schema":"sonde.snapshot/2","#) }
            #expect(snapshots.count == 1)
            let points = lines.filter { !snapshots.contains($0) }.map { "\($0)\n" }.joined()
            let batches = TimelessText.batches(points, .json)
            #expect(batches.count == 1)
            try Golden.expect(batches.first?.text ?? "", equals: "frozen-host.json")
            #expect(workspace.read("json") == "")
        }
    }

    @Test func collectingOnceAsATableIsAsItWas() async throws {
        try await Workspace.use { workspace in
            let file = try workspace.write("sonde.yaml", Self.configuration(workspace))
            let result = try await workspace.sonde("once", "-c", file, "--format", "table")
            #expect(result.end == .exited(0))
            #expect(result.errors == "")
            let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].wholeMatch(of: /sonde  probe-1  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/) != nil)
            let rest = lines.dropFirst().joined(separator: "\n")
            try Golden.expect("sonde  probe-1  <time>\n\(rest)", equals: "frozen-host.table")
        }
    }
}

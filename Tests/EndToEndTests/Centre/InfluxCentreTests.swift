import Foundation
import SondeDomain
import SondeFormats
import Testing

/// Real servers of line protocol: what the shipped examples send them is there, with the values that the agent shows.
struct InfluxCentreTests {
    private static func configuration(_ example: String, _ address: String, _ workspace: Workspace) throws -> String {
        let text = try Checkout.text("config/examples/\(example).yaml")
        let port = try #require(text.firstMatch(of: /127\.0\.0\.1:\d+/)).output
        return text.replacing(port, with: address)
            .replacing("/var/lib/sonde", with: workspace.path("state"))
            .replacing("/etc/sonde/token", with: try workspace.write("token", "s3cret\n"))
            .replacing("interval: 10s", with: "interval: 1s")
            .replacing("plugin: procnet", with: "plugin: procnet, level: all")
            + "  - { id: lines, plugin: file, path: \(workspace.path("lines")) }\n"
    }

    @Test func inContinuousIntegrationTheServerIsThere() {
        guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
        #expect(InfluxServer.isInstalled)
    }

    @Test(.enabled(if: InfluxServer.isInstalled, "apt-get install influxdb"))
    func influxDBHasEverySeriesWithItsLastValueAndTime() async throws {
        try await Workspace.use { workspace in
            let server = try await InfluxServer(workspace)
            try await Self.expectTheSame("influxdb1", server.address, workspace) { try await server.lastSamples() }
        }
    }

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func victoriaMetricsHasEverySeriesAtThePathOfInfluxDB2() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.victoriaMetrics, workspace)
            try await Self.expectTheSame("influxdb2", server.address, workspace) {
                try await server.samples(of: #"{__name__!=""}"#).compactMapValues(\.last)
            }
        }
    }

    @Test(.enabled(if: MetricServer.Program.victoriaMetrics.isInstalled, "make servers"))
    func victoriaMetricsUnpacksZstd() async throws {
        try await Workspace.use { workspace in
            let server = try await MetricServer(.victoriaMetrics, workspace)
            try await Self.expectTheSame(
                "influxdb2", server.address, workspace, "format: influx\n    compression: zstd"
            ) {
                try await server.samples(of: #"{__name__!=""}"#).compactMapValues(\.last)
            }
        }
    }

    /// Runs an agent for some intervals and compares what a server has with the file beside it.
    private static func expectTheSame(
        _ example: String,
        _ address: String,
        _ workspace: Workspace,
        _ format: String = "format: influx",
        _ stored: () async throws -> [String: MetricServer.Sample]
    ) async throws {
        let text = try configuration(example, address, workspace).replacing("format: influx", with: format)
        let agent = try workspace.startAgent(text)
        try await agent.waitForTimes(4, in: "lines")
        #expect(try await agent.stop() == .exited(0))
        let expected = try LinePage.lastSamples(agent.lines(in: "lines")).filter { !OwnSeries.has($0.key) }
        #expect(expected.count > 300)
        var found: [String: MetricServer.Sample] = [:]
        let end = ContinuousClock.now + .seconds(20)
        repeat {
            found = try await stored().filter { !OwnSeries.has($0.key) }
        } while ContinuousClock.now < end && found != expected
        let differences = expected.compactMap { key, sample in
            found[key]?.isTheSame(as: sample) == true
                ? nil : "\(key): \(sample), stored \(found[key].map { "\($0)" } ?? "nothing")"
        }
        #expect(differences.sorted() == [])
        #expect(Set(found.keys).subtracting(expected.keys) == [])
        #expect(!agent.log.contains("error"))
        #expect(!agent.log.contains("s3cret"))
    }

    /// What a tag is, and what InfluxDB has of it: nil for nothing, where the point is there without the tag.
    private static let tags: [(value: String, stored: String?)] = [
        (#"a"b"#, #"a"b"#), ("a,b=c d", "a,b=c d"), ("é😀", "é😀"), (#"a\b"#, #"a\b"#), (#"a\"#, "a"), (#"a\\"#, "a"),
        (#"a\,b"#, "a,b"), (#"\"#, nil), ("", nil), ("a\tb", "a b"), ("\u{1}", " "), ("#", "#"), ("'", "'"),
        ("{}", "{}"),
        (String(repeating: "x", count: 65_000), String(repeating: "x", count: 65_000)),
    ]
    private static let impossible = ["a\nb", "a\r", String(repeating: "x", count: 65_536)]

    @Test(.enabled(if: InfluxServer.isInstalled, "apt-get install influxdb"))
    func hostileTextsArriveAsDocumentedAndTheOthersAreCounted() async throws {
        let values = Self.tags.map(\.value) + Self.impossible
        var series = values.enumerated().map { Self.series("tags", [("k", $0.element)], id: $0.offset) }
        series += values.enumerated().map { Self.series("names", [("n\($0.element)", "v")], id: 100 + $0.offset) }
        series += values.prefix(9).enumerated().map { Self.series("m\($0.element)", [], id: 200 + $0.offset) }
        let time = Timestamp(seconds: 1_767_225_600)
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 99), sink: "s", series: series,
            entries: series.enumerated().map { index, series in
                Batch.Entry(
                    seriesIndex: index, point: MetricPoint(series: series.id, time: time, value: .signed(Int64(index))))
            })
        var buffer = ByteBuffer()
        var encoder = InfluxLineEncoder()
        let report = encoder.encode(batch, into: &buffer)
        #expect(report.leftOut == 2 * Self.impossible.count)
        try await Workspace.use { workspace in
            let server = try await InfluxServer(workspace)
            let file = workspace.path("lines")
            try Data(buffer.bytes).write(to: URL(filePath: file))
            // It parses every line, or it would not answer so.
            let answer = try await server.post("/write?db=sonde", file: file)
            #expect(answer.status == 204, "\(answer.body.prefix(300))")
            let rows = try await server.lastRows()
            #expect(rows.count == report.lines)
            let numbers = Dictionary(
                uniqueKeysWithValues: rows.compactMap { row in
                    row.values.first.flatMap { values in
                        values.last.flatMap { $0 }.map { (Int($0), row) }
                    }
                })
            for (index, tag) in Self.tags.enumerated() {
                let row = try #require(numbers[index])
                #expect(row.tags?["k"].flatMap { $0.isEmpty ? nil : $0 } == tag.stored, "\(index)")
                let named = try #require(numbers[values.count + index])
                #expect(named.tags?["n\(tag.stored ?? "")"] == "v", "\(index)")
            }
            for (index, tag) in Self.tags.prefix(9).enumerated() {
                #expect(numbers[2 * values.count + index]?.name == "m\(tag.stored ?? "")")
            }
        }
    }

    private static func series(_ name: String, _ attributes: [(String, String)], id: Int) -> Series {
        Series(
            id: SeriesID(rawValue: UInt64(id + 1)), source: "s", name: name, kind: .gauge, unit: "",
            attributes: [Attribute("id", "\(id)")] + attributes.map { Attribute($0.0, $0.1) })
    }

    /// A field that has another type there: its points are refused, counted and named, and the others are there.
    @Test(.enabled(if: InfluxServer.isInstalled, "apt-get install influxdb"))
    func aConflictOfTypesCostsItsOwnPointsOnly() async throws {
        try await Workspace.use { workspace in
            let server = try await InfluxServer(workspace)
            let file = try workspace.write("float", "system.network.io value=0.5\n")
            #expect(try await server.post("/write?db=sonde", file: file).status == 204)
            let agent = try workspace.startAgent(try Self.configuration("influxdb1", server.address, workspace))
            try await agent.waitForTimes(4, in: "lines")
            #expect(try await agent.stop() == .exited(0))
            let isRefused: (String) -> Bool = { $0.hasPrefix("system.network.io_value{") }
            let expected = try LinePage.lastSamples(agent.lines(in: "lines")).filter { !OwnSeries.has($0.key) }
            #expect(expected.keys.contains(where: isRefused))
            var found: [String: MetricServer.Sample] = [:]
            let end = ContinuousClock.now + .seconds(20)
            repeat {
                found = try await server.lastSamples().filter { !isRefused($0.key) && !OwnSeries.has($0.key) }
            } while ContinuousClock.now < end && found != expected.filter { !isRefused($0.key) }
            #expect(found == expected.filter { !isRefused($0.key) })
            let conflict = #"HTTP 400: partial write: field type conflict: input field \"value\" on measurement "#
            #expect(agent.log.contains(conflict + #"\"system.network.io\" is type integer"#), "\(agent.log)")
            #expect(!agent.log.contains("held"))
        }
    }

    /// What decision 0075 rests on: a float where integers are refuses either of them.
    @Test(.enabled(if: InfluxServer.isInstalled, "apt-get install influxdb"))
    func aFloatInPlaceOfALargeIntegerWouldRefuseTheOthers() async throws {
        try await Workspace.use { workspace in
            let server = try await InfluxServer(workspace)
            let float = try workspace.write("float", "io,if=a value=9223372036854775808 1767225600000000000\n")
            let integer = try workspace.write("integer", "io,if=b value=1i 1767225600000000000\n")
            #expect(try await server.post("/write?db=sonde", file: float).status == 204)
            let answer = try await server.post("/write?db=sonde", file: integer)
            #expect(answer.status == 400)
            #expect(answer.body.contains("is type integer, already exists as type float dropped=1"))
        }
    }
}

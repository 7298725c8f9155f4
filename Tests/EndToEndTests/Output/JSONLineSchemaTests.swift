import Foundation
import SondeDomain
import SondeFormats
import Testing

/// docs/spec/json-line.schema.json against what is written with `format: json`, by a validator of its own.
@Suite(.enabled(if: LineValidator.isInstalled, "apt-get install python3-jsonschema"))
struct JSONLineSchemaTests {
    @Test func everyLineOfARunIsValid() async throws {
        try await Workspace.use { workspace in
            let fixture = Checkout.path("plugins/sources/dnslog/Tests/Fixtures/unbound.log.gz")
            let log = try workspace.write(
                "unbound.log", try await workspace.run(["/usr/bin/gzip", "-dc", fixture]).output)
            let agent = try workspace.startAgent(
                """
                version: 1
                agent: { interval: 200ms, labels: { site: fra1 }, shutdown_grace: 1s }
                sources:
                  - { id: kernel, plugin: procnet, level: all }
                  - { id: resolver, plugin: dnslog, level: all, path: \(log), start: beginning }
                sinks:
                  - { id: dead, plugin: http, url: "http://127.0.0.1:9/" }
                  - id: lines
                    plugin: file
                    path: \(workspace.path("lines"))
                    send: [metrics, snapshots]
                    batch: { wait: 20ms }

                """)
            let parts = [#""bounds":["#, #""failures":[{"#, #""by_state":{"#, #""log":{"#, #""kind":"info""#]
            try await agent.wait(until: "there is something of everything") {
                parts.allSatisfy(workspace.read("lines").contains)
            }
            _ = try await agent.stop()
            let count = agent.lines(in: "lines").count
            let result = try await LineValidator.check(workspace.path("lines"), workspace)
            #expect(result.output == "\(count)\n")
            #expect(result.end == .exited(0), "\(result.errors)")
        }
    }

    @Test func everyLineOfTheEncoderIsValid() async throws {
        let time = Timestamp(seconds: 1_767_225_600)
        let histograms = [
            HistogramValue(bounds: [0.001, 1], counts: [0, .max, 0], sum: -1e300),
            .init(bounds: [], counts: [3], sum: nil),
        ].compactMap { $0.map(SampleValue.histogram) }
        let values =
            histograms
            + [
                .unsigned(.max), .signed(.min), .double(-0.0), .double(.leastNonzeroMagnitude),
                .double(.greatestFiniteMagnitude), .double(-.greatestFiniteMagnitude), .double(.nan),
                .double(.infinity),
                .ended,
            ]
        let series = values.enumerated().map { index, value in
            let kind: MetricKind = index < histograms.count ? .histogram : index == 2 ? .counter : .gauge
            return Series(
                id: SeriesID(rawValue: UInt64(index + 1)), source: "s", name: "a\"\n\u{0}é😀", kind: kind, unit: "By",
                attributes: [Attribute("", ""), Attribute("\u{2028}", "\\")], labels: [Attribute("value", "null")])
        }
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 99), sink: "s",
            resource: Resource(host: ""), series: series,
            entries: zip(series, values).enumerated().map { index, pair in
                Batch.Entry(
                    seriesIndex: index,
                    point: MetricPoint(series: pair.0.id, time: time, start: time, value: pair.1))
            },
            documents: [Snapshot(time: time, host: nil, window: .seconds(3_600)).document])
        var buffer = ByteBuffer()
        var encoder = JSONLineEncoder()
        let report = encoder.encode(batch, into: &buffer)
        #expect(report == EncodingReport(lines: values.count - 2, leftOut: 2))
        let golden = try Checkout.text("Tests/EndToEndTests/Golden/frozen-host.json")
            .replacing("<time>", with: "2026-01-01T00:00:00.000Z")
        try await Workspace.use { workspace in
            let text = String(decoding: buffer.bytes, as: UTF8.self) + golden
            let result = try await LineValidator.check(try workspace.write("lines", text), workspace)
            #expect(result.output == "\(PointLine.whole(text).count)\n")
            #expect(result.end == .exited(0), "\(result.errors)")
        }
    }

    private static let point =
        #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"counter","unit":"By","value":1,"#
        + #""start":"2026-01-01T00:00:00.000Z","attributes":{"a":"b"},"host":"h","labels":{"a":"b"}}"#
    private static let histogram =
        #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"histogram","count":3,"sum":1.5,"bounds":[1],"counts":[1,2]}"#
    private static let snapshot = String(
        decoding: Snapshot(time: Timestamp(seconds: 0), host: nil, window: .seconds(1)).document.json, as: UTF8.self)

    private static let broken: [(line: String, from: String, to: String)] = [
        (point, #""value":1,"#, ""), (point, #""value":1"#, #""value":"1""#), (point, #""value":1"#, #""value":null"#),
        (point, "00.000Z", "00Z"), (point, "01T00", "01 00"), (point, "counter", "counters"),
        (point, "counter", "gauge"),
        (point, #""b""#, "1"), (point, #"{"a":"b"}"#, "{}"), (point, #""host""#, #""hosts""#),
        (point, #""name":"a","#, ""),
        (point, #""unit":"By""#, #""unit":"""#), (point, "counter", "histogram"),
        (histogram, "[1,2]", "[-1,4]"), (histogram, "[1,2]", "[]"), (histogram, #""count":3,"#, ""),
        (histogram, "histogram", "gauge"), (histogram, #""count":3"#, #""count":3,"value":3"#),
        (histogram, "1.5", "null"), (snapshot, #""losses":[]"#, #""losses":null"#), (snapshot, #","dns":null"#, ""),
        (snapshot, #""host":null"#, #""host":1"#), (snapshot, #""connections":null"#, #""connections":{}"#),
        (snapshot, "sonde.snapshot/2", "snapshot"),
    ]

    @Test func aBrokenLineIsFoundAndAWholeOneIsNot() async throws {
        try await Workspace.use { workspace in
            let whole = [Self.point, Self.histogram, Self.snapshot].map { $0 + "\n" }.joined()
            let valid = try await LineValidator.check(try workspace.write("whole", whole), workspace)
            #expect(valid.output == "3\n")
            let lines = Self.broken.map { $0.line.replacing($0.from, with: $0.to) + "\n" }
            let result = try await LineValidator.check(try workspace.write("broken", lines.joined()), workspace)
            #expect(result.end == .exited(1), "\(result.errors)")
            let found = PointLine.whole(result.output).compactMap { $0.split(separator: ":").first }
            #expect(found == (1...lines.count).map { "line \($0)" })
        }
    }
}

/// Apart from the suite, which is skipped without it.
@Test func inContinuousIntegrationTheValidatorIsThere() {
    guard ProcessInfo.processInfo.environment["CI"] != nil else { return }
    #expect(LineValidator.isInstalled)
}

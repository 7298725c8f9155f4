import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

/// OTLP in JSON: the same request as in protobuf.
struct OTLPJSONEncoderTests {
    private func protobuf(_ batch: Batch, _ settings: OTLPSettings = OTLPSettings()) -> [UInt8] {
        var encoder = OTLPEncoder(settings)
        var buffer = ByteBuffer()
        _ = encoder.encode(batch, into: &buffer)
        return buffer.bytes
    }

    /// What both bodies of a batch say, which has to be the same.
    private func request(_ batch: Batch, _ settings: OTLPSettings = OTLPSettings()) throws -> ExportRequest {
        var encoder = OTLPJSONEncoder(settings)
        var buffer = ByteBuffer()
        let report = encoder.encode(batch, into: &buffer)
        let request = try ExportRequest(json: buffer.bytes)
        let expected = try ExportRequest(protobuf(batch, settings))
        #expect(request.resource == expected.resource)
        #expect(request.scopes == expected.scopes)
        #expect(report.lines == request.points.count)
        return request
    }

    @Test func aBodyIsTheMappingOfTheSpecification() throws {
        let series = Series(
            id: SeriesID(rawValue: 1), source: "kernel", name: "a", kind: .counter, unit: "By",
            attributes: [Attribute("b", "c")], meaning: "What went.")
        var encoder = OTLPJSONEncoder()
        let text = encoder.text(.of([(series, .unsigned(7))], start: Timestamp(seconds: 1_767_225_000)))
        #expect(
            text == """
                {"resourceMetrics":[{"resource":{"attributes":[\
                {"key":"service.name","value":{"stringValue":"sonde"}},\
                {"key":"service.instance.id","value":{"stringValue":"agent"}},\
                {"key":"host.name","value":{"stringValue":"h"}}]},\
                "scopeMetrics":[{"scope":{"name":"sonde/kernel"},"metrics":[\
                {"name":"a","description":"What went.","unit":"By","sum":{"dataPoints":[\
                {"startTimeUnixNano":"1767225000000000000","timeUnixNano":"1767225600000000000","asInt":"7",\
                "attributes":[{"key":"b","value":{"stringValue":"c"}}]}],\
                "aggregationTemporality":2,"isMonotonic":true}}]}]}]}
                """)
    }

    @Test func numbersKeepTheirValue() throws {
        let values: [SampleValue] = [
            .unsigned(UInt64(Int64.max)), .unsigned(.max), .signed(.min), .signed(0), .double(0.1), .double(-0.0),
            .double(.greatestFiniteMagnitude), .double(.leastNonzeroMagnitude), .double(1e21), .double(5),
        ]
        let batch = Batch.of(values.enumerated().map { (.testing("a\($0)", id: UInt64($0 + 1)), $1) })
        let points = try request(batch).points
        #expect(points.map(\.integer).prefix(4) == [.max, nil, .min, 0])
        #expect(points.map(\.double).suffix(6) == [0.1, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e21, 5])
        #expect(points[5].double?.sign == .minus)
    }

    @Test func whatIsNoNumberIsLeftOut() throws {
        let values: [SampleValue] = [.double(.nan), .double(.infinity), .signed(1), .double(-.infinity)]
        let batch = Batch.of(values.enumerated().map { (.testing("a\($0)", id: UInt64($0 + 1)), $1) })
        #expect(try request(batch).metrics.map(\.name) == ["a2"])
    }

    @Test func histogramsAndEndsAreThere() throws {
        let value = try #require(
            HistogramValue(bounds: [0.5, 1e-9, 2].sorted(), counts: [1, .max - 9, 3, 4], sum: 4.5))
        let bare = try #require(HistogramValue(bounds: [], counts: [0], sum: nil))
        let series = Series.testing("a", .histogram, unit: "s", [("b", "c")], id: 1)
        let points: [SampleValue] = [.histogram(value), .ended, .histogram(bare)]
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 3), sink: "s", series: [series],
            entries: points.enumerated().map { index, value in
                let time = Timestamp(nanoseconds: newYear.nanoseconds + Int64(index) * 1_000_000_000)
                return Batch.Entry(
                    seriesIndex: 0, point: MetricPoint(series: series.id, time: time, start: newYear, value: value))
            })
        let found = try request(batch).points
        #expect(found.map(\.counts) == [[1, .max - 9, 3, 4], [0, 0, 0, 0], [0]])
        #expect(found.map(\.flags) == [0, 1, 0])
        #expect(found.map(\.sum) == [4.5, 0, nil])
    }

    @Test func hostileTextsArriveAsTheyAre() throws {
        let values = ["a\"b", "a,b=c", "line\nbreak\u{0}", "🧪", "\\", "\u{7f}\u{85}\u{2028}", "</script>", #"\u0041"#]
        let batch = Batch.of(
            values.enumerated().map {
                (
                    .testing("a\($1)", .gauge, [("v\($1)", $1), ("e", "")], labels: [($1, "x")], id: UInt64($0 + 1)),
                    .signed(1)
                )
            }, host: values.joined())
        let request = try request(batch, OTLPSettings(serviceName: values[2], resourceToAttributes: ["host.*"]))
        #expect(request.points.map { $0.attributes[0] } == values.map { ["v\($0)", $0] })
        #expect(request.resource.first == ["service.name", values[2]])
    }

    @Test func randomBatchesAreTheSameInBoth() throws {
        var random = SeededGenerator(seed: 5)
        let kinds: [MetricKind] = [.counter, .upDown, .gauge, .info, .histogram]
        for _ in 0..<200 {
            let points = (0..<Int.random(in: 1...20, using: &random)).map { index -> (Series, SampleValue) in
                let kind = kinds.randomElement(using: &random) ?? .gauge
                let series = Series.testing(
                    "m\(Int.random(in: 0...3, using: &random))", kind,
                    unit: ["", "By"].randomElement(using: &random) ?? "",
                    [("n", "\(index)")], id: UInt64(index + 1))
                let bits = UInt64.random(in: 0...(.max), using: &random)
                let value: SampleValue =
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: .signed(Int64(bitPattern: bits))
                    case 1: .double(Double(bitPattern: bits))
                    case 2: .ended
                    default: .unsigned(bits)
                    }
                return (series, value)
            }
            var encoder = OTLPEncoder()
            var buffer = ByteBuffer()
            guard encoder.encode(.of(points), into: &buffer).lines > 0 else { continue }
            _ = try request(.of(points))
        }
    }

    @Test func aBatchThatIsOfferedAgainIsTheSameBytes() {
        let first = Batch.of([(.testing("a", .counter, id: 1), .unsigned(1)), (.testing("b", id: 2), .double(1))])
        var encoder = OTLPJSONEncoder()
        let text = encoder.text(first)
        #expect(encoder.text(first) == text)
    }

    @Test func nothingToSendIsNoBody() {
        var encoder = OTLPJSONEncoder()
        #expect(encoder.text(.of([(.testing("a"), .double(.nan))])) == "")
    }
}

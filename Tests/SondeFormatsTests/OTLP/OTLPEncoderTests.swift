import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

/// OTLP, read back by a reader of the wire format.
struct OTLPEncoderTests {
    private static let time = UInt64(newYear.nanoseconds)
    private static let start = Timestamp(seconds: 1_767_225_000)

    private func bytes(_ batches: [Batch], _ settings: OTLPSettings = OTLPSettings()) -> [UInt8] {
        var encoder = OTLPEncoder(settings)
        var buffer = ByteBuffer()
        for batch in batches {
            buffer.removeAll()
            _ = encoder.encode(batch, into: &buffer)
        }
        return buffer.bytes
    }

    private func encode(_ batch: Batch, _ settings: OTLPSettings = OTLPSettings()) throws -> ExportRequest {
        try ExportRequest(bytes([batch], settings))
    }

    @Test func theResourceIsTheAgentAndItsLabels() throws {
        let point = MetricPoint(series: SeriesID(rawValue: 1), time: newYear, value: .unsigned(1))
        let batch = Batch(
            identity: BatchIdentity(agent: "0b9c", epoch: "e", first: 1, last: 1), sink: "s",
            resource: Resource(
                host: "h", agentVersion: "1.2.3",
                labels: [Attribute("site", "fra1"), Attribute("empty", ""), Attribute("host.name", "other")]),
            series: [.testing("a", labels: [("rack", "r1")])], entries: [Batch.Entry(seriesIndex: 0, point: point)])
        let request = try encode(batch)
        #expect(
            request.resource == [
                ["service.name", "sonde"], ["service.instance.id", "0b9c"], ["service.version", "1.2.3"],
                ["host.name", "h"], ["site", "fra1"],
            ])
        #expect(request.scopes.map(\.name) == ["sonde/kernel"])
        #expect(request.scopes.map(\.version) == ["1.2.3"])
        #expect(request.points.map(\.attributes) == [[["rack", "r1"]]])
    }

    @Test func attributesOfTheResourceAreCopiedToPointsWhereThatIsAskedFor() throws {
        let series = Series.testing("a", .gauge, [("site", "own"), ("b", "1")])
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "s",
            resource: Resource(host: "h", labels: [Attribute("site", "fra1"), Attribute("zone", "z")]),
            series: [series],
            entries: [
                Batch.Entry(
                    seriesIndex: 0, point: MetricPoint(series: series.id, time: newYear, value: .unsigned(1)))
            ])
        let some = try encode(batch, OTLPSettings(resourceToAttributes: ["host.*", "site"]))
        #expect(some.points[0].attributes == [["b", "1"], ["site", "own"], ["host.name", "h"]])
        let all = try encode(batch, OTLPSettings(serviceName: "", resourceToAttributes: ["*"]))
        #expect(all.points[0].attributes.map { $0[0] } == ["b", "site", "service.instance.id", "host.name", "zone"])
        #expect(!all.resource.contains { $0[0] == "service.name" })
    }

    @Test func oneMetricHasAllPointsOfItsSeries() throws {
        func series(_ id: UInt64, _ name: String, _ source: String, _ attribute: String) -> Series {
            Series(
                id: SeriesID(rawValue: id), source: source, name: name, kind: .counter, unit: "By",
                attributes: [Attribute("n", attribute)], meaning: "What went.")
        }
        let batch = Batch.of([
            (series(1, "a", "one", "x"), .unsigned(1)), (series(2, "b", "two", "x"), .unsigned(2)),
            (series(3, "b", "one", "x"), .unsigned(3)), (series(4, "a", "one", "y"), .unsigned(4)),
        ])
        let request = try encode(batch)
        #expect(request.scopes.map(\.name) == ["sonde/one", "sonde/two"])
        #expect(request.scopes.map { $0.metrics.map(\.name) } == [["a", "b"], ["b"]])
        #expect(request.scopes[0].metrics[0].points.map(\.integer) == [1, 4])
        #expect(request.metrics.allSatisfy { $0.unit == "By" && $0.description == "What went." })
    }

    @Test func aSecondKindOrUnitOfANameIsItsOwnMetric() throws {
        let batch = Batch.of([
            (.testing("a", .counter, unit: "By", id: 1), .unsigned(1)),
            (.testing("a", .gauge, unit: "By", id: 2), .unsigned(2)),
            (.testing("a", .gauge, unit: "s", id: 3), .unsigned(3)),
        ])
        #expect(try encode(batch).metrics.map(\.unit) == ["By", "By", "s"])
    }

    @Test func aKindIsItsFieldOfAMetric() throws {
        let kinds: [MetricKind] = [.counter, .upDown, .gauge, .info]
        let batch = Batch.of(
            kinds.enumerated().map { (.testing($1.name, $1, id: UInt64($0 + 1)), .signed(1)) }, start: Self.start)
        let metrics = try encode(batch).metrics
        #expect(metrics.map(\.field) == [7, 7, 5, 5])
        #expect(metrics.map(\.temporality) == [2, 2, 0, 0])
        #expect(metrics.map(\.isMonotonic) == [true, false, false, false])
        #expect(metrics.map { $0.points[0].start } == [UInt64(Self.start.nanoseconds), 0, 0, 0])
        #expect(metrics.allSatisfy { $0.points[0].time == Self.time })
    }

    @Test func anInfoMetricEndsInInfo() throws {
        let names = ["a.build", "a.info", "a_info", "info", "a.myinfo"]
        let batch = Batch.of(names.enumerated().map { (.testing($1, .info, id: UInt64($0 + 1)), .unsigned(1)) })
        #expect(try encode(batch).metrics.map(\.name) == ["a.build.info", "a.info", "a_info", "info", "a.myinfo.info"])
    }

    @Test func integersStayIntegersWhereTheyFit() throws {
        let values: [SampleValue] = [
            .unsigned(UInt64(Int64.max)), .unsigned(UInt64(Int64.max) + 1), .signed(.min), .double(0.1),
        ]
        let batch = Batch.of(values.enumerated().map { (.testing("a\($0)", id: UInt64($0 + 1)), $1) })
        let points = try encode(batch).points
        #expect(points.map(\.integer) == [.max, nil, .min, nil])
        #expect(points.map(\.double) == [nil, 9_223_372_036_854_775_808, nil, 0.1])
    }

    @Test func aHistogramHasItsBucketsSumAndStart() throws {
        let value = try #require(HistogramValue(bounds: [0.5, 1], counts: [1, 2, 3], sum: 4.5))
        let bare = try #require(HistogramValue(bounds: [], counts: [7], sum: nil))
        let batch = Batch.of(
            [
                (.testing("a", .histogram, unit: "s", [("b", "c")], id: 1), .histogram(value)),
                (.testing("b", .histogram, id: 2), .histogram(bare)),
            ], start: Self.start)
        let metrics = try encode(batch).metrics
        #expect(metrics.map(\.field) == [9, 9])
        #expect(metrics.map(\.temporality) == [2, 2])
        let point = ExportRequest.Point(
            time: Self.time, start: UInt64(Self.start.nanoseconds), attributes: [["b", "c"]], count: 6, sum: 4.5,
            counts: [1, 2, 3], bounds: [0.5, 1])
        #expect(metrics[0].points == [point])
        #expect(metrics[1].points[0].counts == [7])
        #expect(metrics[1].points[0].sum == nil)
    }

    @Test func anEndIsAPointWithoutAValueAfterTheLastOne() throws {
        let series = Series.testing("a", .counter)
        let batch = Self.batch(series, [(0, .unsigned(1)), (0, .ended)])
        let points = try encode(batch).points
        #expect(points.map(\.flags) == [0, 1])
        #expect(points.map(\.integer) == [1, nil])
        #expect(points.map(\.time) == [Self.time, Self.time + 1_000_000])
    }

    @Test func theEndOfAHistogramHasTheBucketsOfTheLastOne() throws {
        let value = try #require(HistogramValue(bounds: [0.5], counts: [1, 2], sum: 4.5))
        let other = try #require(HistogramValue(bounds: [5], counts: [1, 2], sum: nil))
        let series = Series.testing("a", .histogram)
        let first = Self.batch(series, [(0, .histogram(value))], first: 1)
        let second = Self.batch(series, [(1, .ended), (2, .histogram(other)), (3, .ended)], first: 2)
        var encoder = OTLPEncoder()
        var buffer = ByteBuffer()
        _ = encoder.encode(first, into: &buffer)
        buffer.removeAll()
        _ = encoder.encode(second, into: &buffer)
        let points = try ExportRequest(buffer.bytes).points
        #expect(points.map(\.flags) == [1, 0, 1])
        #expect(points.map(\.bounds) == [[0.5], [5], [5]])
        #expect(points.map(\.counts) == [[0, 0], [1, 2], [0, 0]])
        #expect(points.map(\.sum) == [0, nil, nil])
        // What the second one said of the series changes nothing of it when it is offered again.
        let before = buffer.bytes
        buffer.removeAll()
        _ = encoder.encode(second, into: &buffer)
        #expect(buffer.bytes == before)
        // Nothing is known of a series that an earlier process has sent.
        #expect(try encode(Self.batch(series, [(1, .ended)])).points.map(\.bounds) == [[]])
    }

    @Test func anEndIsTheSameBytesHoweverOftenItIsOffered() throws {
        let value = try #require(HistogramValue(bounds: [0.5], counts: [1, 2], sum: 4.5))
        let series = Series.testing("a", .histogram)
        var encoder = OTLPEncoder()
        var buffer = ByteBuffer()
        _ = encoder.encode(Self.batch(series, [(0, .histogram(value))], first: 1), into: &buffer)
        // Enough that came and went for the encoder to forget its series now and then.
        let others = (1...600).map {
            (Series.testing("b", .gauge, [("n", "\($0)")], id: 1 + UInt64($0)), SampleValue.signed(1))
        }
        _ = encoder.encode(.of(others), into: &buffer)
        let end = Self.batch(series, [(1, .ended)], first: 2)
        for _ in 0..<600 {
            buffer.removeAll()
            _ = encoder.encode(end, into: &buffer)
            #expect(try ExportRequest(buffer.bytes).points.map(\.bounds) == [[0.5]])
        }
    }

    @Test func aBatchThatIsOfferedAgainIsTheSameBytes() {
        let first = Batch.of([(.testing("a", .counter, id: 1), .unsigned(1)), (.testing("b", id: 2), .double(1))])
        let second = Batch.of([(.testing("c", id: 3), .double(2)), (.testing("a", .counter, id: 1), .unsigned(2))])
        #expect(bytes([second]) == bytes([first, second, second]))
        #expect(!bytes([second]).isEmpty)
    }

    @Test func hostileTextsArriveAsTheyAreAndLongOnesAreCut() throws {
        let long = String(repeating: "ä", count: 32_768)
        let values = ["a\"b", "a,b=c", "line\nbreak\u{0}", "🧪", "\\", long]
        let batch = Batch.of(
            values.enumerated().map { (.testing("a", .gauge, [("v", $1), ("e", "")], id: UInt64($0 + 1)), .signed(1)) })
        let request = try encode(batch)
        #expect(request.points.map { $0.attributes.map { $0[0] } } == Array(repeating: ["v"], count: 6))
        let texts = request.points.map { $0.attributes[0][1] }
        #expect(Array(texts.dropLast()) == Array(values.dropLast()))
        #expect(texts[5] == PrometheusSeries.bounded(long))
        #expect(texts[5].utf8.count <= 1_024)
    }

    @Test func whatHasNoPlaceIsLeftOutAndCounted() throws {
        let value = try #require(HistogramValue(bounds: [1], counts: [1, 0], sum: nil))
        var encoder = OTLPEncoder()
        var buffer = ByteBuffer()
        let document = Document(schema: "s", time: newYear, json: Array("{}".utf8))
        let batch = Batch.of(
            [
                (.testing("a", .gauge, id: 1), .histogram(value)), (.testing("b", .histogram, id: 2), .unsigned(1)),
                (.testing("c", id: 3), .double(.nan)), (.testing("", id: 4), .unsigned(1)),
            ], documents: [document])
        #expect(encoder.encode(batch, into: &buffer) == EncodingReport(leftOut: 4, documentsLeftOut: 1))
        #expect(buffer.isEmpty)
        let old = Batch.of([(.testing("a"), .unsigned(1))], time: Timestamp(nanoseconds: -1))
        #expect(encoder.encode(old, into: &buffer) == EncodingReport(leftOut: 1))
        #expect(encoder.encode(.of([]), into: &buffer) == EncodingReport())
        #expect(buffer.isEmpty)
    }

    @Test func aStartAfterThePointIsNone() throws {
        let later = Timestamp(nanoseconds: newYear.nanoseconds + 1)
        #expect(try encode(.of([(.testing("a", .counter), .unsigned(1))], start: later)).points[0].start == 0)
    }

    @Test func seriesThatComeAndGoDoNotFillTheMemory() throws {
        var encoder = OTLPEncoder()
        var buffer = ByteBuffer()
        for round in 0..<1_500 as Range<UInt64> {
            buffer.removeAll()
            _ = encoder.encode(
                .of([(.testing("a\(round)", .gauge, [("n", "\(round)")], id: round + 1), .unsigned(round))]),
                into: &buffer)
            #expect(try ExportRequest(buffer.bytes).metrics.map(\.name) == ["a\(round)"])
        }
    }

    /// Points of one series, at so many milliseconds after the new year.
    private static func batch(_ series: Series, _ points: [(Int64, SampleValue)], first: UInt64 = 1) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "agent", epoch: "epoch", first: first, last: first), sink: "sink",
            series: [series],
            entries: points.map { offset, value in
                let time = Timestamp(nanoseconds: newYear.nanoseconds + offset * 1_000_000)
                return Batch.Entry(
                    seriesIndex: 0, point: MetricPoint(series: series.id, time: time, value: value))
            })
    }
}

import Foundation
import SondeDomain
import SondeFormats
import SondeTestKit
import Testing

struct JSONLineEncoderTests {
    private let io = Series.testing(
        "system.network.io", .counter, unit: "By",
        [("network.io.direction", "receive"), ("network.interface.name", "lo")],
        labels: [("site", "fra1")]
    )

    @Test func aCounterHasEveryKeyInOrder() {
        var encoder = JSONLineEncoder()
        let start = Timestamp(seconds: 1_767_225_000)
        let text = encoder.text(.of([(io, .unsigned(123))], start: start))
        #expect(
            text == #"{"time":"2026-01-01T00:00:00.000Z","name":"system.network.io","kind":"counter","unit":"By","#
                + #""value":123,"start":"2025-12-31T23:50:00.000Z","attributes":{"network.interface.name":"lo","#
                + #""network.io.direction":"receive"},"host":"h","labels":{"site":"fra1"}}"# + "\n"
        )
    }

    @Test func absentKeysAreLeftOut() {
        var encoder = JSONLineEncoder()
        let text = encoder.text(.of([(.testing("a"), .signed(-5))], host: nil))
        #expect(text == #"{"time":"2026-01-01T00:00:00.000Z","name":"a","kind":"gauge","value":-5}"# + "\n")
    }

    @Test func onlyCountersAndHistogramsHaveAStart() {
        var encoder = JSONLineEncoder()
        for kind in MetricKind.allCases {
            let series = Series.testing("a", kind, id: UInt64(kind.rawValue))
            let text = encoder.text(.of([(series, .signed(1))], start: newYear))
            #expect(text.contains(#""start""#) == (kind == .counter || kind == .histogram))
            #expect(text.contains(#""kind":"\#(kind.name)""#))
        }
    }

    @Test func aHistogramHasItsBucketsInsteadOfAValue() throws {
        let histogram = try #require(HistogramValue(bounds: [0.001, 1, 10], counts: [1, 2, 0, 4], sum: 12.5))
        var encoder = JSONLineEncoder()
        let text = encoder.text(.of([(.testing("d", .histogram, unit: "s"), .histogram(histogram))], host: nil))
        #expect(
            text == #"{"time":"2026-01-01T00:00:00.000Z","name":"d","kind":"histogram","unit":"s","count":7,"#
                + #""sum":12.5,"bounds":[0.001,1.0,10.0],"counts":[1,2,0,4]}"# + "\n"
        )
    }

    @Test func aHistogramWithoutASumDoesNotClaimZero() throws {
        let histogram = try #require(HistogramValue(bounds: [], counts: [3], sum: nil))
        var encoder = JSONLineEncoder()
        let text = encoder.text(.of([(.testing("d", .histogram), .histogram(histogram))]))
        #expect(text.contains(#""count":3,"bounds":[],"counts":[3]"#))
    }

    @Test(arguments: [
        (SampleValue.unsigned(.max), "18446744073709551615"), (.unsigned(0), "0"),
        (.signed(.min), "-9223372036854775808"),
        (.signed(.max), "9223372036854775807"), (.double(0.1), "0.1"), (.double(1e300), "1e+300"),
        (.double(12), "12.0"),
        (.double(-0.0), "-0.0"), (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.pi), "3.141592653589793"),
        (.double(9_007_199_254_740_992), "9007199254740992.0"), (.double(-1024), "-1024.0"),
    ])
    func valuesAreExact(_ value: SampleValue, _ text: String) {
        var encoder = JSONLineEncoder()
        #expect(encoder.text(.of([(.testing("a"), value)])).contains(#""value":\#(text),"#))
    }

    @Test func whatJSONCannotSayIsLeftOutAndCounted() {
        var encoder = JSONLineEncoder()
        var buffer = ByteBuffer()
        let points: [SampleValue] = [.double(.nan), .double(.infinity), .signed(1), .double(-.infinity)]
        let batch = Batch.of(points.enumerated().map { (.testing("a", id: UInt64($0.offset)), $0.element) })
        let report = encoder.encode(batch, into: &buffer)
        #expect(report == EncodingReport(lines: 1, leftOut: 3))
        #expect(buffer.bytes.count(where: { $0 == 0x0a }) == 1)
    }

    @Test func aPointWithoutASeriesIsLeftOut() {
        var encoder = JSONLineEncoder()
        var buffer = ByteBuffer()
        let stray = Batch.Entry(seriesIndex: 7, point: MetricPoint(series: io.id, time: newYear, value: .signed(1)))
        let batch = Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: 1, last: 1), sink: "s", series: [io],
            entries: [stray]
        )
        #expect(encoder.encode(batch, into: &buffer) == EncodingReport(leftOut: 1))
        #expect(buffer.isEmpty)
    }

    @Test func documentsAreWrittenAsTheyAreOnOneLineEach() {
        var encoder = JSONLineEncoder()
        let documents = [#"{"schema":"sonde.snapshot/1"}"#, "{\"a\":\n1}"].map {
            Document(schema: "sonde.snapshot/1", time: newYear, json: Array($0.utf8))
        }
        #expect(encoder.text(.of([], documents: documents)) == #"{"schema":"sonde.snapshot/1"}"# + "\n{\"a\": 1}\n")
    }

    @Test func anotherHostNameIsTakenOver() {
        var encoder = JSONLineEncoder()
        #expect(encoder.text(.of([(io, .signed(1))], host: "one")).contains(#""host":"one""#))
        #expect(encoder.text(.of([(io, .signed(1))], host: "two")).contains(#""host":"two""#))
    }

    @Test func theSameBatchBecomesTheSameBytesFromAnyEncoder() {
        let batch = Batch.of((0..<50).map { (.testing("m\($0 % 7)", id: UInt64($0)), .unsigned(UInt64($0))) })
        var seasoned = JSONLineEncoder()
        _ = seasoned.text(batch)
        var fresh = JSONLineEncoder()
        #expect(seasoned.text(batch) == fresh.text(batch))
    }

    @Test func anyTextSurvivesAForeignParser() throws {
        var random = SeededGenerator(seed: 7)
        var encoder = JSONLineEncoder()
        for id in 1..<300 {
            let name = random.text()
            let pairs = [(random.text(), random.text())]
            let series = Series.testing(name, .gauge, pairs, labels: [("l", random.text())], id: UInt64(id))
            let line = encoder.text(.of([(series, .signed(1))], host: random.text()))
            #expect(line.utf8.count(where: { $0 < 0x20 }) == 1)
            let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let object = try #require(parsed as? [String: Any])
            #expect(object["name"] as? String == name)
            let attributes = try #require(object["attributes"] as? [String: String])
            #expect(attributes == Dictionary(uniqueKeysWithValues: pairs))
        }
    }
}

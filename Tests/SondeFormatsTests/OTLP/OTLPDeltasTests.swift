import SondeDomain
import SondeTestKit
import Testing

@testable import SondeFormats

/// Totals that become differences for a receiver that takes nothing else.
struct OTLPDeltasTests {
    private static let began = newYear
    private static let counter = Series.testing("a", .counter)

    private static func second(_ time: Timestamp) -> Int64 {
        (time.nanoseconds - newYear.nanoseconds) / 1_000_000_000
    }

    /// A batch with points of one series, each a number of seconds after the new year.
    private func batch(
        _ points: [(seconds: Int64, value: SampleValue)], _ series: Series = counter, start: Int64? = 0,
        first: UInt64 = 1
    ) -> Batch {
        Batch(
            identity: BatchIdentity(agent: "a", epoch: "e", first: first, last: first + UInt64(points.count) - 1),
            sink: "s", series: [series],
            entries: points.map { point in
                Batch.Entry(
                    seriesIndex: 0,
                    point: MetricPoint(
                        series: series.id, time: newYear.advanced(by: .seconds(point.seconds)),
                        start: start.map { newYear.advanced(by: .seconds($0)) }, value: point.value))
            })
    }

    /// Seconds of start and time, and value, of what is left of a batch.
    private func shown(_ result: (batch: Batch, leftOut: Int)) -> [String] {
        result.batch.entries.map { entry in
            let start = entry.point.start.map { "\(Self.second($0))" } ?? "-"
            return "\(start) \(Self.second(entry.point.time)) \(entry.point.value)"
        } + (result.leftOut > 0 ? ["\(result.leftOut) left out"] : [])
    }

    @Test func aTotalIsWhatItHasGrownSinceThePointBefore() {
        var deltas = OTLPDeltas(since: Self.began)
        let first = shown(deltas.differences(in: batch([(10, .unsigned(5)), (20, .unsigned(8))])))
        #expect(first == ["0 10 unsigned(5)", "10 20 unsigned(3)"])
        deltas.acknowledge()
        let second = shown(deltas.differences(in: batch([(30, .unsigned(8)), (40, .unsigned(10))], first: 3)))
        #expect(second == ["20 30 unsigned(0)", "30 40 unsigned(2)"])
    }

    /// Its answer may have been lost, or it was halved: nothing has moved on.
    @Test func aBatchThatIsOfferedAgainHasTheSameDifferences() {
        var deltas = OTLPDeltas(since: Self.began)
        _ = deltas.differences(in: batch([(10, .unsigned(5))]))
        deltas.acknowledge()
        let whole = batch([(20, .unsigned(8)), (30, .unsigned(9))], first: 2)
        let once = shown(deltas.differences(in: whole))
        #expect(shown(deltas.differences(in: whole)) == once)
        #expect(shown(deltas.differences(in: batch([(20, .unsigned(8))], first: 2))) == [once[0]])
        deltas.acknowledge()
        #expect(shown(deltas.differences(in: batch([(30, .unsigned(9))], first: 3))) == [once[1]])
    }

    @Test func whatWasRefusedIsInTheNextDifference() {
        var deltas = OTLPDeltas(since: Self.began)
        _ = deltas.differences(in: batch([(10, .unsigned(5))]))
        deltas.acknowledge()
        _ = deltas.differences(in: batch([(20, .unsigned(8))], first: 2))
        let next = shown(deltas.differences(in: batch([(30, .unsigned(9))], first: 3)))
        #expect(next == ["10 30 unsigned(4)"])
        deltas.acknowledge()
        // Replayed from the dead letters it would be counted twice.
        #expect(shown(deltas.differences(in: batch([(20, .unsigned(8))], first: 2))) == ["1 left out"])
    }

    @Test func aCounterThatBeginsAnewIsWholeFromItsStart() {
        var deltas = OTLPDeltas(since: Self.began)
        _ = deltas.differences(in: batch([(10, .unsigned(50))]))
        deltas.acknowledge()
        let fresh = shown(deltas.differences(in: batch([(30, .unsigned(60))], start: 25, first: 2)))
        #expect(fresh == ["25 30 unsigned(60)"])
        let fallen = shown(deltas.differences(in: batch([(30, .unsigned(4))], first: 2)))
        #expect(fallen == ["10 30 unsigned(4)"])
    }

    /// What it counts may be there from an earlier run, and the start of a counter that is not known is its first point.
    @Test(arguments: [-100, 10, nil] as [Int64?])
    func theFirstPointOfASeriesThatMayHaveBegunBeforeIsAReferenceOnly(_ start: Int64?) {
        var deltas = OTLPDeltas(since: Self.began)
        let points = batch([(10, .unsigned(1_000)), (20, .unsigned(1_001))], start: start)
        // Also where the request failed, or was refused.
        for _ in 0..<2 {
            #expect(shown(deltas.differences(in: points)) == ["10 20 unsigned(1)", "1 left out"])
        }
    }

    /// Else the next point would be whole.
    @Test func aReferenceStaysWhereItsRequestWasRefused() {
        var deltas = OTLPDeltas(since: Self.began)
        _ = deltas.differences(in: batch([(10, .unsigned(1_000))], start: 10))
        let next = shown(deltas.differences(in: batch([(20, .unsigned(1_001))], start: 10, first: 2)))
        #expect(next == ["10 20 unsigned(1)"])
    }

    @Test func aHistogramIsTheDifferenceOfItsBuckets() throws {
        let series = Series.testing("h", .histogram)
        let values = try [([1, 2], 3.0), ([4, 2], 9.0), ([4, 1], nil)].map { counts, sum in
            try #require(HistogramValue(bounds: [0.5], counts: counts, sum: sum))
        }
        var deltas = OTLPDeltas(since: Self.began)
        let points = values.enumerated().map { (seconds: Int64($0 + 1), value: SampleValue.histogram($1)) }
        let result = deltas.differences(in: batch(points, series)).batch.entries.map(\.point)
        let second = try #require(HistogramValue(bounds: [0.5], counts: [3, 0], sum: 6))
        #expect(result.map(\.value) == [.histogram(values[0]), .histogram(second), .histogram(values[2])])
        #expect(result.map { $0.start.map(Self.second) } == [0, 1, 2])
    }

    @Test(arguments: [MetricKind.gauge, .upDown, .info])
    func whatIsNoTotalStaysAsItIs(_ kind: MetricKind) {
        var deltas = OTLPDeltas(since: Self.began)
        let points = batch([(10, .signed(-5)), (20, .signed(8))], .testing("g", kind), start: nil)
        #expect(deltas.differences(in: points).batch.entries.map(\.point) == points.entries.map(\.point))
    }

    @Test func aSeriesThatHasEndedIsForgotten() {
        var deltas = OTLPDeltas(since: Self.began)
        _ = deltas.differences(in: batch([(10, .unsigned(5)), (20, .ended)]))
        deltas.acknowledge()
        let again = shown(deltas.differences(in: batch([(30, .unsigned(7))], start: 25, first: 3)))
        #expect(again == ["25 30 unsigned(7)"])
    }

    @Test func otherNumbersAreSubtractedAsTheyAre() {
        var deltas = OTLPDeltas(since: Self.began)
        let mixed = batch([(10, .double(1.5)), (20, .signed(4)), (30, .unsigned(.max))])
        #expect(
            shown(deltas.differences(in: mixed)) == [
                "0 10 double(1.5)", "10 20 double(2.5)", "20 30 double(1.8446744073709552e+19)",
            ])
    }

    @Test func theEncoderSaysThatTheyAreDifferences() throws {
        var encoder = OTLPEncoder(OTLPSettings(temporality: .delta))
        let batch = Batch.of([
            (.testing("a", .counter, id: 1), .unsigned(1)), (.testing("b", .upDown, id: 2), .unsigned(1)),
            (
                .testing("c", .histogram, id: 3),
                .histogram(try #require(HistogramValue(bounds: [], counts: [1], sum: 1)))
            ),
        ])
        var buffer = ByteBuffer()
        _ = encoder.encode(batch, into: &buffer)
        let metrics = try ExportRequest(buffer.bytes).metrics
        // A sum that may fall is a total for every receiver.
        #expect(metrics.map(\.temporality) == [1, 2, 1])
        #expect(metrics.map(\.isMonotonic) == [true, false, false])
    }
}

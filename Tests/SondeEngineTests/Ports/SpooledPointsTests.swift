import SondeDomain
import Testing

@testable import SondeEngine

@Suite struct SpooledPointsTests {
    private static func series(_ number: UInt64) -> Series {
        Series(id: SeriesID(rawValue: number), source: "s", name: "n\(number)", kind: .gauge, unit: "1")
    }

    private static func point(_ series: Series, _ value: SampleValue) -> SpooledPoint {
        SpooledPoint(series: series, time: Timestamp(seconds: 1), start: Timestamp(seconds: 0), value: value)
    }

    @Test func whatIsPutInComesOutInOrder() {
        let (one, two) = (Self.series(1), Self.series(2))
        let points = SpooledPoints([
            Self.point(two, .unsigned(1)),
            Self.point(one, .unsigned(2)),
            Self.point(two, .ended),
        ])
        #expect(points.map(\.value) == [.unsigned(1), .unsigned(2), .ended])
        #expect(points.map(\.series.id) == [two.id, one.id, two.id])
        #expect(points.allSatisfy { $0.time == Timestamp(seconds: 1) && $0.start == Timestamp(seconds: 0) })
        #expect(points.series.map(\.id) == [two.id, one.id])
        #expect(points.entries.map(\.seriesIndex) == [0, 1, 0])
        #expect(points.endCount == 1)
    }

    @Test func aSeriesThatWasAddedUnseenIsFoundWhenItComesAgain() {
        var points = SpooledPoints()
        for number in 1...300 as ClosedRange<UInt64> {
            let index = points.add(Self.series(number))
            points.append(.unsigned(number), of: index, at: Timestamp(seconds: 1), start: nil)
        }
        // Another object, as of another segment.
        points.append(contentsOf: [7, 301].map { Self.point(Self.series($0), .unsigned(8)) })
        #expect(points.series.count == 301)
        #expect(points.entries.suffix(2).map(\.seriesIndex) == [6, 300])
    }

    @Test func theEntriesOfAnotherBatchAreReplacedInTheirMemory() {
        var memory = SpooledPoints((0..<100).map { Self.point(Self.series($0), .ended) }).entries
        let address = memory.withUnsafeBytes(\.baseAddress)
        var points = SpooledPoints(reusing: &memory)
        #expect(points.isEmpty && points.series.isEmpty && points.endCount == 0 && memory.isEmpty)
        points.append(contentsOf: [Self.point(Self.series(1), .unsigned(1))])
        #expect(points.entries.withUnsafeBytes(\.baseAddress) == address)
        #expect(points.map(\.value) == [.unsigned(1)])
    }

    @Test func aPointOfNoSeriesIsLeftOut() {
        var points = SpooledPoints()
        points.append(.unsigned(1), of: 0, at: Timestamp(seconds: 1), start: nil)
        #expect(points.isEmpty)
    }
}

import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// Series that come and go, as those of a list of the busiest do.
@Suite struct DiskSpoolSeriesTests {
    private let fixture = SpoolFixture(maxBytes: 64 << 20, segmentBytes: 32 << 20)

    private static func points(_ names: Range<Int>) -> [SpooledPoint] {
        names.map { name in
            let series = Series(
                id: SeriesID(rawValue: UInt64(name) + 1),
                source: "wire",
                name: "test.bytes",
                kind: .gauge,
                unit: "By",
                attributes: [Attribute("peer", "host \(name)")],
                labels: []
            )
            return SpooledPoint(series: series, time: Timestamp(seconds: 1), start: nil, value: .unsigned(UInt64(name)))
        }
    }

    private static func drain(_ spool: DiskSpool) -> [SpooledPoint] {
        var points: [SpooledPoint] = []
        while let stretch = spool.cut(for: "a", maxCount: 10_000, maxBytes: .max) {
            points += spool.read(stretch, for: "a").points
            spool.acknowledge(stretch, for: "a")
        }
        return points
    }

    @Test func aSegmentTakesNoFurtherSeriesBeyondItsBound() throws {
        let spool = try fixture.openWithReader()
        let frame = SegmentStore.seriesPerSegment / 8
        for commit in 0..<17 {
            let points = Self.points(commit * frame..<(commit + 1) * frame)
            _ = spool.append(points, documents: [], at: SpoolFixture.instant)
        }
        #expect(fixture.segments.count == 3)
        let read = Self.drain(spool)
        #expect(read.count == 17 * frame)
        #expect(Set(read.map(\.series.attributes)).count == 17 * frame)
    }

    @Test func aSegmentWhoseSeriesStayGrowsOnBeyondTheBound() throws {
        let spool = try fixture.openWithReader()
        let points = Self.points(0..<SegmentStore.seriesPerSegment * 2)
        for _ in 0..<5 { _ = spool.append(points, documents: [], at: SpoolFixture.instant) }
        #expect(fixture.segments.count == 1)
        #expect(Self.drain(spool).count == 5 * points.count)
    }
}

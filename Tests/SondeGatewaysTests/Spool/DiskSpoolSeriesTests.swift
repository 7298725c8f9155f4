import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// Series that come and go, as those of a list of the busiest do.
@Suite struct DiskSpoolSeriesTests {
    private let fixture = SpoolFixture(maxBytes: 64 << 20, segmentBytes: 32 << 20)

    private static func points(_ names: Range<Int>, peer: String = "host") -> [SpooledPoint] {
        names.map { name in
            let series = Series(
                id: SeriesID(rawValue: UInt64(name) + 1),
                source: "wire",
                name: "test.bytes",
                kind: .gauge,
                unit: "By",
                attributes: [Attribute("peer", "\(peer) \(name)")],
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

    @Test func aLargeBatchTakesTheMemoryOfTheOneBeforeOnceThatIsGone() throws {
        let spool = try fixture.openWithReader()
        let size = 3_000
        var addresses: [UnsafeRawPointer?] = []
        var kept: SpooledPoints?
        for batch in 0..<3 {
            let names = batch * size..<(batch + 1) * size
            _ = spool.append(Self.points(names), documents: [], at: SpoolFixture.instant)
            spool.sync()
            let stretch = try #require(spool.cut(for: "a", maxCount: size, maxBytes: .max))
            let points = spool.read(stretch, for: "a").points
            #expect(points.map(\.value) == names.map { .unsigned(UInt64($0)) })
            addresses.append(points.entries.withUnsafeBytes(\.baseAddress))
            spool.acknowledge(stretch, for: "a")
            if batch == 1 { kept = points }
        }
        #expect(addresses[1] == addresses[0])
        #expect(addresses[2] != addresses[1])
        #expect(kept?.first?.value == .unsigned(UInt64(size)))
    }

    @Test func aSegmentTakesNoFurtherSeriesWhenSoManyHaveEnded() throws {
        let spool = try fixture.openWithReader()
        let frame = SegmentStore.endedPerSegment.lowerBound / 8
        for commit in 0..<17 {
            let points = Self.points(commit * frame..<(commit + 1) * frame)
            _ = spool.append(points + points.map(\.ended), documents: [], at: SpoolFixture.instant)
        }
        #expect(fixture.segments.count == 3)
        let read = Self.drain(spool).filter { !$0.value.isEnd }
        #expect(read.count == 17 * frame)
        #expect(Set(read.map(\.series.attributes)).count == 17 * frame)
    }

    @Test(arguments: [(open: 3_000, ended: 3_008), (open: 20_000, ended: 8_192)])
    func aSegmentKeepsAsManySeriesThatHaveEndedAsAreOpen(_ open: Int, _ ended: Int) throws {
        let spool = try fixture.openWithReader()
        _ = spool.append(Self.points(0..<open), documents: [], at: SpoolFixture.instant)
        let frame = 8
        // A frame defines its series before it ends them, and they count as open: the first that finds enough ended begins a segment.
        for commit in 0...ended / frame {
            #expect(fixture.segments.count == 1, "commit \(commit)")
            let points = Self.points(open + commit * frame..<open + (commit + 1) * frame)
            _ = spool.append(points + points.map(\.ended), documents: [], at: SpoolFixture.instant)
        }
        #expect(fixture.segments.count == 2)
    }

    @Test func aSegmentWhoseSeriesStayGrowsOnWhateverTheirNumber() throws {
        let spool = try fixture.openWithReader()
        let frame = SegmentStore.endedPerSegment.upperBound / 2
        for commit in 0..<50 {
            let (turn, part) = (commit / 10, commit % 10)
            let points = Self.points(part * frame..<(part + 1) * frame).map { $0.at(turn) }
            _ = spool.append(points, documents: [], at: SpoolFixture.instant)
        }
        #expect(fixture.segments.count == 1)
        let read = Self.drain(spool)
        #expect(read.count == 50 * frame)
        #expect(Set(read.map(\.series.id)).count == 10 * frame)
    }

    @Test func aStretchOverTwoSegmentsHasEachSeriesOnce() throws {
        let spool = try fixture.openWithReader()
        for turn in 1...2 {
            let points = Self.points(turn..<turn + 10).map { $0.at(turn) }
            _ = spool.append(points, documents: [], at: SpoolFixture.instant)
            // A live sink that comes and goes changes nothing; a durable one begins a segment.
            spool.addReader("b\(turn)", .durable, wants: .metrics)
        }
        #expect(fixture.segments.count == 2)
        let stretch = try #require(spool.cut(for: "a", maxCount: 100, maxBytes: .max))
        let points = spool.read(stretch, for: "a").points
        #expect(points.count == 20)
        #expect(points.series.count == 11)
        #expect(Set(points.series.map(\.id)).count == 11)
        #expect(points.map(\.value) == (Array(1..<11) + Array(2..<12)).map { .unsigned(UInt64($0)) })
    }

    @Test func aCommitMayDefineMoreSeriesThanAFrameHolds() throws {
        var fixture = fixture
        (fixture.settings.maxBytes, fixture.settings.segmentBytes) = (256 << 20, 128 << 20)
        let name = String(repeating: "long ", count: 200)
        let points = Self.points(0..<(2 * Frame.maxPayload / name.utf8.count), peer: name)
        let checkpoint = SpoolCheckpoint(source: "wire", bytes: [7])
        var spool: DiskSpool? = try fixture.openWithReader()
        for turn in 1...2 {
            let appended = spool?.append(
                points.map { $0.at(turn) }, documents: [], checkpoint: checkpoint, at: SpoolFixture.instant)
            let (first, last) = ((turn - 1) * points.count + 1, turn * points.count)
            #expect(appended?.0 == .taken(Stretch(first: UInt64(first), last: UInt64(last))))
            #expect(appended?.1.isEmpty == true)
        }
        #expect(fixture.segments.count == 1)
        fixture.disk.killProcess()
        spool = nil
        let again = try fixture.openWithReader()
        #expect(again.checkpoint(of: "wire") == [7])
        #expect(again.takeLosses().isEmpty)
        let read = Self.drain(again)
        #expect(read.count == 2 * points.count)
        #expect(read.prefix(points.count).map(\.series.attributes) == points.map(\.series.attributes))
    }
}

extension SpooledPoint {
    /// The end of its series.
    fileprivate var ended: SpooledPoint { SpooledPoint(series: series, time: time, start: nil, value: .ended) }

    /// The same at another second.
    fileprivate func at(_ seconds: Int) -> SpooledPoint {
        SpooledPoint(series: series, time: Timestamp(seconds: Int64(seconds)), start: start, value: value)
    }
}

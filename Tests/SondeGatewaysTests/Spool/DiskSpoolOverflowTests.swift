import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct DiskSpoolOverflowTests {
    @Test func anOverflowedSegmentThatCannotBeReadIsCountedByItsSummary() throws {
        let fixture = SpoolFixture(maxBytes: 16 << 10, segmentBytes: 1_024)
        let spool = try fixture.openWithReader()
        for first in stride(from: 1 as UInt64, to: 400, by: 10) { spool.take(first...(first + 9)) }
        spool.sync()
        // A part of the oldest segment is read: what is left of it takes a look into the file.
        let stretch = try #require(spool.cut(for: "a", maxCount: 15, maxBytes: .max))
        spool.acknowledge(stretch, for: "a")
        fixture.disk.fail(.read, with: FileSystemError.inputOutput, oneIn: 1)
        var lost: UInt64 = 0
        var next: UInt64 = 401
        while lost == 0, next < 20_000 {
            lost += try #require(spool.append(next...(next + 9), at: SpoolFixture.instant)).reduce(0) { $0 + $1.count }
            next += 10
        }
        fixture.disk.heal()
        #expect(spool.drain("a").count + Int(lost) + 15 == Int(next) - 1)
    }

    @Test func documentsThatGiveWayAreCountedForTheSinksThatGetThem() throws {
        var fixture = SpoolFixture(maxBytes: 24 << 10, segmentBytes: 1_024)
        fixture.settings.overflow = .dropOldest
        let spool = try fixture.openWithReader()
        spool.addReader("snapshots", .durable, wants: .snapshots)
        let document = Document(schema: "s", time: Timestamp(seconds: 1), json: [UInt8](repeating: 0x20, count: 300))
        var lost: [String: UInt64] = [:]
        for number in 1...200 as ClosedRange<UInt64> {
            let (_, losses) = spool.append([.numbered(number)], documents: [document], at: SpoolFixture.instant)
            for loss in losses { lost[loss.sink, default: 0] += loss.count }
        }
        let told = try #require(lost["snapshots"])
        #expect(told > 0)
        var read = 0
        while let stretch = spool.cut(for: "snapshots", maxCount: 9, maxBytes: .max) {
            read += spool.read(stretch, for: "snapshots").documents.count
            spool.acknowledge(stretch, for: "snapshots")
        }
        #expect(read + Int(told) == 200)
        #expect(spool.drain("a").count + Int(lost["a"] ?? 0) == 200)
    }
}

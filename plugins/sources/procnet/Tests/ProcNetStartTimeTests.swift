import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// When the counts that this source reports were zero.
@Suite struct ProcNetStartTimeTests {
    private static let boot = Timestamp(seconds: 1_767_225_600)

    @Test func countersStartWhenTheKernelDidAndGaugesHaveNoStart() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-6.18"))
        try harness.collect()
        for series in harness.host.series.map(\.specification) {
            #expect(series.start == (series.kind == .counter ? Self.boot : nil), "\(series.name)")
            #expect(series.counterBits == (series.kind == .counter ? 64 : nil), "\(series.name)")
        }
    }

    @Test(arguments: ["container", "hostile"])
    func withoutABootTimeTheStartIsUnknown(fixture: String) throws {
        let harness = try ProcTree.started(ProcTree.fixture(fixture))
        try harness.collect()
        let kernel = harness.host.series.map(\.specification).filter { $0.name != ProcNetSource.inputSkipped.name }
        #expect(kernel.allSatisfy { $0.start == nil })
    }

    @Test func aClockThatIsSetDoesNotMoveTheStartOfCountersAtTheNextStart() throws {
        let tree = try ProcTree(copying: "linux-6.18")
        try tree.write("sys/kernel/random/boot_id", "0f3f7a2c-1a2b-4c3d-8e4f-5a6b7c8d9e0f\n")
        try tree.write("stat", "cpu 1\nbtime 1767225600\n")
        let first = try tree.started(tables: [.dev])
        try first.collect()
        let checkpoint = try #require(first.host.checkpoint)
        #expect(BootRecord(checkpoint)?.time == Self.boot)
        // The clock was an hour late: the kernel computes another time of its boot from then on.
        try tree.write("stat", "cpu 1\nbtime 1767229200\n")
        func start(_ checkpoint: [UInt8]?) throws -> Timestamp? {
            let harness = try tree.started(tables: [.dev], checkpoint: checkpoint)
            harness.host.wallTime = Timestamp(seconds: 1_767_300_000)
            try harness.collect()
            return harness.host.series.map(\.specification).first { $0.kind == .counter }?.start
        }
        #expect(try start(checkpoint) == Self.boot)
        #expect(try start(nil) == Timestamp(seconds: 1_767_229_200))
        // Of another boot, or no record: what the kernel says now.
        #expect(try start(Array("boot other 1767225600".utf8)) == Timestamp(seconds: 1_767_229_200))
        #expect(try start([0xff, 0x20]) == Timestamp(seconds: 1_767_229_200))
    }

    @Test func aRecordIsReadStrictly() {
        for text in [
            "", "boot", "boot a", "boot a x", "boot a 1", "boot a -5", "root a 1767225600", "boot a 1767225600 ",
        ] {
            #expect(BootRecord(Array(text.utf8)) == nil, "\(text)")
        }
        let record = BootRecord(boot: "a", now: Timestamp(seconds: 1_767_225_600), at: Self.boot, checkpoint: nil)
        #expect(record.map(\.checkpoint).flatMap(BootRecord.init) == record)
        #expect(BootRecord(boot: "a", now: Timestamp(seconds: 5), at: Self.boot, checkpoint: nil) == nil)
        // A clock in 2025 is wrong to the agent: what it holds is put right, and this would not be.
        let autumn = Timestamp(seconds: 1_760_000_000)
        #expect(BootRecord(boot: "a", now: autumn, at: Timestamp(seconds: 1_767_225_599), checkpoint: nil) == nil)
        #expect(BootRecord(boot: "a", now: autumn, at: Self.boot, checkpoint: nil)?.time == autumn)
        #expect(BootRecord(boot: nil, now: Timestamp(seconds: 1_767_225_600), at: Self.boot, checkpoint: nil) == nil)
    }

    @Test func aBootTimeAheadOfTheClockIsUnknown() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-6.18"))
        harness.host.wallTime = Timestamp(seconds: 1_000_000)
        try harness.collect()
        #expect(harness.host.series.allSatisfy { $0.specification.start == nil })
    }

    @Test func anInterfaceThatAppearsStartsAtTheReadingBefore() throws {
        let tree = try ProcTree(copying: "linux-6.18")
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        let before = harness.host.wallTime
        harness.host.wallTime = Timestamp(nanoseconds: before.nanoseconds + 10_000_000_000)
        try tree.write(.dev, try tree.read(.dev) + "new0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n")
        try harness.collect()
        let new = harness.host.series.map(\.specification).filter { series in
            series.attributes.contains(Attribute("network.interface.name", "new0"))
        }
        #expect(new.count == 16)
        #expect(new.allSatisfy { $0.start == before })
    }

    @Test func whileItsTableIsMissingNothingIsKnownOfAnInterface() throws {
        let tree = try ProcTree(copying: "linux-6.18")
        let harness = try tree.started()
        try harness.collect()
        let read = harness.host.wallTime
        let text = try tree.read(.dev)
        try tree.remove(.dev)
        harness.host.wallTime = Timestamp(nanoseconds: read.nanoseconds + 10_000_000_000)
        try harness.collect()
        harness.host.wallTime = Timestamp(nanoseconds: read.nanoseconds + 20_000_000_000)
        try tree.write(.dev, text + "new0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n")
        try harness.collect()
        #expect(harness.host.series.last?.specification.start == read)
    }

    @Test(arguments: [
        ("btime 5\n", 5), ("cpu 1 2\nbtime  7\r\nx 1", 7), ("btime -1\n", nil), ("btime 0\n", nil),
        ("btime 99999999999999999999\n", nil), ("btime x\n", nil), ("btimes 5\n", nil), ("btime 5 6\n", nil), ("", nil),
    ])
    func bootTimeIsReadFromStat(text: String, seconds: Int64?) {
        let time = Array(text.utf8).withUnsafeBytes { BootTime.parse($0) }
        #expect(time == seconds.map(Timestamp.init(seconds:)))
    }
}

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

import Testing

@testable import SondeDomain

@Suite struct SnapshotBuilderTests {
    private let wall = Timestamp(seconds: 100)

    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private func reading(_ rate: Double?) -> CounterTracker.Reading {
        CounterTracker.Reading(
            verdict: rate == nil ? .first : .ok, delta: rate, rate: rate, elapsed: .seconds(1), start: nil)
    }

    @Test func nothingContributedMakesNoSnapshot() {
        var builder = SnapshotBuilder(source: "kernel")
        #expect(builder.takeBandwidth(time: wall, at: at(1)) == nil)
        #expect(builder.takeConnections(time: wall, at: at(1)) == nil)
    }

    @Test func aFirstReadingIsUnknownAndNotZero() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addBandwidth(interface: "eth0", .receive, reading(nil), at: at(1))
        let taken = builder.takeBandwidth(time: wall, at: at(1))
        let snapshot = try #require(taken)
        #expect(snapshot.interfaces.map(\.name) == ["eth0"])
        #expect(snapshot.interfaces[0].receive == CurrentAveragePeak())
        #expect(snapshot.interfaces[0].transmit == CurrentAveragePeak())
    }

    @Test func ratesBecomeCurrentAverageAndPeakByInterface() throws {
        var builder = SnapshotBuilder(source: "kernel")
        for (second, rate) in [(1, 10.0), (2, 30.0)] as [(Int64, Double)] {
            builder.addBandwidth(interface: "eth1", .transmit, reading(rate), at: at(second))
            builder.addBandwidth(interface: "eth0", .receive, reading(rate * 2), at: at(second))
            _ = second == 1 ? builder.takeBandwidth(time: wall, at: at(second)) : nil
        }
        let taken = builder.takeBandwidth(time: wall, at: at(2))
        let snapshot = try #require(taken)
        #expect(snapshot.interfaces.map(\.name) == ["eth0", "eth1"])
        #expect(snapshot.interfaces[0].receive == CurrentAveragePeak(current: 60, average: 40, peak: 60))
        #expect(snapshot.interfaces[1].transmit == CurrentAveragePeak(current: 30, average: 20, peak: 30))
        #expect(snapshot.interfaces[1].receive == CurrentAveragePeak())
    }

    @Test func aSnapshotIsTakenOncePerCollection() {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addBandwidth(interface: "eth0", .receive, reading(1), at: at(1))
        builder.addConnections(.tcpInUse, 1)
        #expect(builder.takeBandwidth(time: wall, at: at(1)) != nil)
        #expect(builder.takeConnections(time: wall, at: at(1)) != nil)
        #expect(builder.takeBandwidth(time: wall, at: at(1)) == nil)
        #expect(builder.takeConnections(time: wall, at: at(1)) == nil)
    }

    @Test func anInterfaceThatACollectionLeavesOutIsUnknownNow() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addBandwidth(interface: "eth0", .receive, reading(10), at: at(1))
        _ = builder.takeBandwidth(time: wall, at: at(1))
        builder.addBandwidth(interface: "eth1", .receive, reading(5), at: at(2))
        let taken = builder.takeBandwidth(time: wall, at: at(2))
        let snapshot = try #require(taken)
        #expect(snapshot.interfaces[0].receive == CurrentAveragePeak(current: nil, average: 10, peak: 10))
    }

    @Test func aVanishedInterfaceLeavesTheSnapshot() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addBandwidth(interface: "eth0", .receive, reading(10), at: at(1))
        builder.addBandwidth(interface: "veth1", .receive, reading(10), at: at(1))
        builder.removeInterface("veth1")
        let taken = builder.takeBandwidth(time: wall, at: at(1))
        let snapshot = try #require(taken)
        #expect(snapshot.interfaces.map(\.name) == ["eth0"])
    }

    @Test func socketsOfBothIPVersionsAreAddedUp() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addConnections(.tcpInUse, 4)
        builder.addConnections(.tcpInUse, 6)
        builder.addConnections(.udpInUse, 1)
        let taken = builder.takeConnections(time: wall, at: at(1))
        let snapshot = try #require(taken)
        #expect(snapshot.groups.map { [$0.transport, $0.state] } == [["tcp", "in_use"], ["udp", "in_use"]])
        #expect(snapshot.groups[0].count == CurrentAveragePeak(current: 10, average: 10, peak: 10))
    }

    @Test func aGroupThatACollectionLeavesOutIsUnknownAndNotZero() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addConnections(.tcpTimeWait, 4)
        _ = builder.takeConnections(time: wall, at: at(1))
        builder.addConnections(.tcpInUse, 1)
        let taken = builder.takeConnections(time: wall, at: at(2))
        let snapshot = try #require(taken)
        let group = try #require(snapshot.groups.first { $0.state == "time_wait" })
        #expect(group.count.current == nil)
        #expect(group.count.peak == 4)
    }

    @Test func zeroSocketsAreZero() throws {
        var builder = SnapshotBuilder(source: "kernel")
        builder.addConnections(.tcpOrphaned, 0)
        let taken = builder.takeConnections(time: wall, at: at(1))
        let snapshot = try #require(taken)
        #expect(snapshot.groups.first?.count == CurrentAveragePeak(current: 0, average: 0, peak: 0))
    }
}

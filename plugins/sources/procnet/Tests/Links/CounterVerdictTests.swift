import SondeDomain
import SondeNetlink
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// What a device's counts are after something happened to it, and that no rate comes of it.
@Suite struct CounterVerdictTests {
    private static let io = "system.network.io"
    private static let gigabit = LinkSpeed(bytesPerSecond: 125_000_000, duplex: .full)

    private func bench(_ counters: [UInt64]) throws -> LinkBench {
        let bench = LinkBench([FakeLink(NetworkLink(index: 2, name: "eth0"), counters: counters)])
        bench.speeds["eth0"] = Self.gigabit
        try bench.collect()
        return bench
    }

    private func isWithoutRate(_ bench: LinkBench) -> Bool {
        bench.value("sonde.network.interface.rate.average", "eth0", "receive") == nil
            && bench.value("sonde.network.interface.utilization", "eth0", "receive") == nil
            && bench.values["sonde.network.host.rate.average{network.io.direction=receive}"] == nil
    }

    private func openReceived(_ bench: LinkBench) -> [SeriesSpecification] {
        bench.fake.series.filter {
            $0.isOpen && $0.specification.name == Self.io
                && $0.specification.attributes.contains(Attribute("network.io.direction", "receive"))
        }.map(\.specification)
    }

    @Test func whatTheDriverSetBackIsAResetAndANewSeries() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        let before = bench.fake.wallTime
        bench.change("eth0") { $0.counters = [UInt64](repeating: 5, count: 25) }
        try bench.collect()
        #expect(bench.events("eth0") == ["driver reset": .unsigned(1)])
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned(5))
        #expect(openReceived(bench).map(\.start) == [before])
        #expect(isWithoutRate(bench))
    }

    @Test func aCarrierThatWentInBetweenIsTheReason() throws {
        let bench = try bench([1_000, 1_000, 4_200_000_000, 900_000])
        bench.change("eth0") {
            $0.counters[2] = 10
            $0.carrierChanges += 2
        }
        bench.hasNews = true
        try bench.collect()
        #expect(bench.events("eth0") == ["carrier reset": .unsigned(1)])
        #expect(isWithoutRate(bench))
    }

    @Test func anotherBootIsAResetEvenWhenTheCountsRose() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        bench.boot = "boot-2"
        bench.change("eth0") { $0.count(receivedBytes: 1 << 50, sentBytes: 0) }
        try bench.collect()
        #expect(bench.events("eth0") == ["boot reset": .unsigned(1)])
        #expect(isWithoutRate(bench))
    }

    @Test func countsIn32BitsThatPassTheirEndGoOn() throws {
        let bench = try bench([1_000, 1_000, 4_294_967_000, 900_000])
        bench.change("eth0") { $0.counters[2] = 704 }
        try bench.collect()
        #expect(bench.events("eth0") == ["wrapped": .unsigned(1)])
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned((1 << 32) + 704))
        #expect(bench.value("sonde.network.interface.rate.average", "eth0", "receive") == .double(100))
        #expect(bench.values["sonde.network.host.io{network.io.direction=receive}"] == .unsigned((1 << 32) + 704))
        #expect(bench.fake.series.filter { !$0.isOpen }.isEmpty, "the series goes on")
        bench.change("eth0") { $0.counters[2] = 1_704 }
        try bench.collect()
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned((1 << 32) + 1_704))
        #expect(bench.value("sonde.network.interface.rate.average", "eth0", "receive") == .double(100))
    }

    /// The same fall, on a link that cannot have carried so much: it is no wrap.
    @Test func aStepThatTheLinkCannotHaveCarriedIsNoWrap() throws {
        let bench = LinkBench([FakeLink(NetworkLink(index: 2, name: "eth0"), counters: [0, 0, 3_300_000_000])])
        bench.speeds["eth0"] = LinkSpeed(bytesPerSecond: 1_250_000)
        try bench.collect()
        bench.change("eth0") { $0.counters[2] = 1_000 }
        try bench.collect()
        #expect(bench.events("eth0") == ["driver reset": .unsigned(1)])
    }

    @Test func withoutASpeedOnlyTheLastQuarterWraps() throws {
        for (old, new, verdict) in [
            (UInt64(4_294_000_000), UInt64(1_000), "wrapped"), (3_000_000_000, 1_000, "driver reset"),
            (4_294_000_000, 1_500_000_000, "driver reset"), (1 << 40, 1_000, "driver reset"),
        ] {
            let bench = LinkBench([FakeLink(NetworkLink(index: 2, name: "eth0"), counters: [0, 0, old])])
            try bench.collect()
            bench.change("eth0") { $0.counters[2] = new }
            try bench.collect()
            #expect(bench.events("eth0") == [verdict: .unsigned(1)], "\(old) \(new)")
        }
    }

    @Test func aJumpThatNoLinkCanCarryIsNoRate() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        bench.change("eth0") { $0.counters[2] = UInt64.max - 5 }
        try bench.collect()
        #expect(bench.events("eth0") == ["implausible reset": .unsigned(1)])
        #expect(isWithoutRate(bench))
    }

    @Test func aFullLinkIsPlausible() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        bench.change("eth0") { $0.count(receivedBytes: 1_300_000_000, sentBytes: 1_300_000_000) }
        try bench.collect()
        #expect(bench.events("eth0").isEmpty)
    }

    @Test func anInterfaceThatWasMadeAgainIsANewSeries() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        let before = bench.fake.wallTime
        bench.kernel.links = [FakeLink(NetworkLink(index: 7, name: "eth0"), counters: [1, 1, 2_000_000, 5])]
        bench.hasNews = true
        try bench.collect()
        #expect(bench.events("eth0") == ["recreated": .unsigned(1)])
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned(2_000_000))
        #expect(openReceived(bench).map(\.start) == [before])
        #expect(isWithoutRate(bench))
    }

    /// `ip link add … index 2` gives a new device the number of the old one.
    @Test func oneMadeAgainWithTheSameNumberIsToldByItsCarrierOrKind() throws {
        for change in ["carrier", "kind"] {
            let bench = try bench([1_000, 1_000, 900_000, 900_000])
            bench.change("eth0") {
                if change == "carrier" { $0.carrierChanges = 0 } else { $0.link.kind = "dummy" }
                $0.counters[2] = 1_000_000
            }
            bench.hasNews = true
            try bench.collect()
            #expect(bench.events("eth0") == ["recreated": .unsigned(1)], "\(change)")
            #expect(isWithoutRate(bench))
        }
    }

    @Test func aRenamedInterfaceGoesOnUnderItsNewName() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        bench.change("eth0") {
            $0.link.name = "wan0"
            $0.count(receivedBytes: 1_000, sentBytes: 0)
        }
        bench.hasNews = true
        try bench.collect()
        #expect(bench.events("wan0") == ["renamed": .unsigned(1)])
        #expect(bench.value(Self.io, "wan0", "receive") == .unsigned(901_000))
        #expect(bench.value(Self.io, "eth0", "receive") == nil)
        #expect(bench.value("sonde.network.interface.rate.average", "wan0", "receive") == .double(100))
        #expect(openReceived(bench).map(\.attributes.count) == [2])
        #expect(bench.values["sonde.network.host.io{network.io.direction=receive}"] == .unsigned(901_000))
    }

    @Test func anInterfaceThatIsGoneTakesItsSeriesAndEventsAlong() throws {
        let bench = try bench([1_000, 1_000, 900_000, 900_000])
        bench.change("eth0") { $0.counters[2] = 0 }
        try bench.collect()
        bench.kernel.links = [.loopback]
        bench.hasNews = true
        try bench.collect()
        #expect(bench.values.keys.filter { $0.contains("eth0") }.isEmpty)
        let open = bench.fake.series.filter(\.isOpen).map(\.specification)
        #expect(!open.contains { $0.attributes.contains(Attribute("network.interface.name", "eth0")) })
    }
}

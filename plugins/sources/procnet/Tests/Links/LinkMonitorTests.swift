import Glibc
import SondeDomain
import SondeNetlink
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct LinkMonitorTests {
    private static let io = "system.network.io"

    private func counted(_ index: Int32, _ name: String) -> FakeLink {
        FakeLink(NetworkLink(index: index, name: name), counters: (1...25).map { UInt64($0) * 100 })
    }

    @Test func everyFieldOfTheKernelIsReported() throws {
        let bench = LinkBench([counted(2, "eth0")])
        let values = try bench.collect()
        let fields = LinkMetrics.counters.filter { $0.fields.count == 1 }.flatMap(\.fields)
        // What is reported individually, and rx_dropped, which is reported with rx_missed_errors as /proc/net/dev does.
        #expect(Set(fields).union([.receiveDropped]) == Set(LinkCounters.Field.allCases))
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned(300))
        #expect(bench.value(Self.io, "eth0", "transmit") == .unsigned(400))
        #expect(bench.value("system.network.packet.dropped", "eth0", "receive") == .unsigned(700 + 1_600))
        #expect(bench.value("sonde.network.interface.missed", "eth0", "receive") == .unsigned(1_600))
        #expect(
            bench.value("sonde.network.interface.frame_error", "eth0", "receive")
                == .unsigned(1_100 + 1_200 + 1_300 + 1_400)
        )
        #expect(
            bench.value("sonde.network.interface.carrier_error", "eth0", "transmit")
                == .unsigned(1_800 + 1_700 + 2_100 + 2_000)
        )
        #expect(bench.value("sonde.network.interface.other_host", "eth0", "receive") == .unsigned(2_500))
        #expect(values.count == bench.fake.commits.last?.count, "no series has two samples")
    }

    @Test func everySeriesStandsInTheCatalogWithItsAttributes() throws {
        let bench = LinkBench([.loopback, counted(2, "eth0")] + (3..<50).map { .virtual($0, "v\($0)", "veth") })
        bench.speeds["eth0"] = LinkSpeed(bytesPerSecond: 125_000_000, duplex: .full)
        try bench.collect()
        for _ in 0..<5 {
            bench.change("eth0") { $0.counters[2] += 100 }
            try bench.tick()
        }
        try bench.collect()
        bench.change("eth0") { $0.counters[2] = 1 }
        try bench.collect()
        let catalog = Dictionary(uniqueKeysWithValues: ProcNetSource.descriptor.metrics.map { ($0.name, $0) })
        for series in bench.fake.series.map(\.specification) {
            let metric = try #require(catalog[series.name], "\(series.name)")
            #expect(metric.kind == series.kind && metric.unit == series.unit, "\(series.name)")
            #expect(Set(series.attributes.map(\.name)).isSubset(of: metric.attributes), "\(series.name)")
        }
        #expect(
            Set(LinkMetrics.all.map(\.name)).subtracting(bench.fake.series.map(\.specification.name)) == [
                "sonde.network.namespace"
            ])
    }

    @Test func bothPathsReportTheSameSeries() throws {
        let bench = LinkBench([counted(2, "eth0")])
        try bench.collect()
        let netlink = Set(bench.fake.series.map(\.specification).filter { $0.kind == .counter }.map(Self.spelled))
        let tree = try ProcTree()
        let header = """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed

            """
        try tree.write(.dev, header + "  eth0: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n")
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        let files = Set(harness.host.series.map(\.specification).map(Self.spelled))
        #expect(files.count == 16)
        #expect(files.isSubset(of: netlink))
    }

    private static func spelled(_ series: SeriesSpecification) -> String {
        "\(series.name) \(series.unit) \(series.attributes.sorted().map { "\($0.name)=\($0.value)" })"
    }

    @Test func linksAreReadWhenTheKernelTellsOfAChangeOnly() throws {
        let bench = LinkBench([counted(2, "eth0")])
        try bench.collect()
        for _ in 0..<5 { try bench.collect() }
        #expect(bench.kernel.takeRequests(18) == 1)
        #expect(bench.kernel.takeRequests(94) == 6)
        bench.kernel.links.append(.hardware(3, "eth1"))
        try bench.collect()
        #expect(bench.value(Self.io, "eth1", "receive") == nil, "nobody told of it yet")
        bench.hasNews = true
        try bench.collect()
        #expect(bench.value(Self.io, "eth1", "receive") == .unsigned(0))
    }

    @Test func stateIsReported() throws {
        var link = FakeLink.hardware(2, "eth0")
        link.alias = "to the rack"
        link.carrierChanges = 5
        let bench = LinkBench([link])
        bench.speeds["eth0"] = LinkSpeed(bytesPerSecond: 125_000_000, duplex: .full)
        try bench.collect()
        #expect(bench.value("sonde.network.interface.up", "eth0") == .unsigned(1))
        #expect(bench.value("sonde.network.interface.speed", "eth0") == .unsigned(125_000_000))
        #expect(bench.value("sonde.network.interface.mtu", "eth0") == .unsigned(1_500))
        #expect(bench.value("sonde.network.interface.carrier_change", "eth0") == .unsigned(5))
        #expect(bench.value("sonde.network.interface.carrier_up", "eth0") == .unsigned(3))
        #expect(bench.value("sonde.network.interface.carrier_down", "eth0") == .unsigned(2))
        let info = try #require(bench.fake.series.map(\.specification).first { $0.name == LinkMetrics.info.name })
        let attributes = Dictionary(uniqueKeysWithValues: info.attributes.map { ($0.name, $0.value) })
        #expect(attributes["sonde.link.kind"] == "physical")
        #expect(attributes["sonde.link.operstate"] == "up")
        #expect(attributes["sonde.link.alias"] == "to the rack")
        #expect(attributes["sonde.link.duplex"] == "full")
        #expect(attributes["sonde.link.address"] == "02:00:00:00:00:02")
        #expect(attributes["sonde.link.master"] == nil)
    }

    @Test func anInterfaceThatIsSwitchedOffIsSeenAsSuchAndItsInfoChanges() throws {
        let bench = LinkBench([.hardware(2, "eth0")])
        try bench.collect()
        bench.change("eth0") { $0.link.isUp = false }
        bench.hasNews = true
        try bench.collect()
        #expect(bench.value("sonde.network.interface.up", "eth0") == .unsigned(0))
        let infos = bench.fake.series.filter { $0.specification.name == LinkMetrics.info.name }
        #expect(infos.map(\.isOpen) == [false, true])
    }

    @Test func utilizationIsTheRateBySpeedAndUnknownWithoutOne() throws {
        let bench = LinkBench([.hardware(2, "eth0"), .hardware(3, "eth1")])
        bench.speeds["eth0"] = LinkSpeed(bytesPerSecond: 1_000)
        try bench.collect()
        #expect(bench.value("sonde.network.interface.utilization", "eth0", "receive") == nil)
        for name in ["eth0", "eth1"] { bench.change(name) { $0.count(receivedBytes: 2_500, sentBytes: 0) } }
        try bench.collect()
        #expect(bench.value("sonde.network.interface.utilization", "eth0", "receive") == .double(0.25))
        #expect(bench.value("sonde.network.interface.utilization", "eth1", "receive") == nil)
    }

    @Test func theFilterLeavesOutInterfacesButNotTheTotal() throws {
        let bench = LinkBench([.loopback, counted(2, "eth0"), .virtual(3, "veth1", "veth")]) {
            $0.filter = GlobFilter(include: ["*"], exclude: ["eth*", "veth?"])
        }
        let values = try bench.collect()
        #expect(bench.value(Self.io, "lo", "receive") != nil)
        #expect(bench.value(Self.io, "eth0", "receive") == nil)
        #expect(bench.value(Self.io, "veth1", "receive") == nil)
        #expect(values["sonde.network.host.io{network.io.direction=receive}"] == .unsigned(300))
    }

    @Test(arguments: [EBUSY, ENOBUFS]) func aKernelThatIsBusyIsAskedAgainAtOnce(number: Int32) throws {
        let bench = LinkBench([counted(2, "eth0")])
        bench.kernel.failures = [.answer(number), .receive(number)]
        try bench.collect()
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned(300))
    }

    @Test func anInterruptedDumpTakesNothingAwayAndCountsNothingTwice() throws {
        let bench = LinkBench([counted(2, "eth0"), counted(3, "eth1")])
        try bench.collect()
        bench.hasNews = true
        bench.kernel.failures = [.interrupted, .interrupted, .interrupted, .interrupted, .interrupted]
        for name in ["eth0", "eth1"] { bench.change(name) { $0.count(receivedBytes: 1_000, sentBytes: 0) } }
        let values = try bench.collect()
        #expect(bench.value(Self.io, "eth1", "receive") == .unsigned(1_300))
        #expect(values["sonde.network.host.io{network.io.direction=receive}"] == .unsigned(2_600))
        #expect(bench.fake.series.filter { !$0.isOpen }.isEmpty)
        _ = bench.kernel.takeRequests(18)
        try bench.collect()
        #expect(bench.kernel.takeRequests(18) == 1, "it is read again until it is whole")
    }

    @Test func aFailureLeavesTheStateAsItWas() throws {
        let bench = LinkBench([counted(2, "eth0")])
        try bench.collect()
        bench.kernel.failures = [.receive(ETIMEDOUT)]
        bench.change("eth0") { $0.count(receivedBytes: 5_000, sentBytes: 0) }
        #expect(throws: NetlinkError.self) { try bench.collect() }
        try bench.collect()
        #expect(bench.value(Self.io, "eth0", "receive") == .unsigned(5_300))
        #expect(bench.value("sonde.network.interface.rate.average", "eth0", "receive") == .double(250))
        #expect(bench.events("eth0").isEmpty)
    }

    @Test func aRestartClosesTheSeriesOfDevicesThatVanishedMeanwhile() throws {
        let bench = try started()
        bench.kernel.links.removeAll { $0.link.name == "veth1" }
        bench.restart()
        try bench.collect()
        let gone = bench.fake.series.filter { series in
            series.specification.attributes.contains(Attribute("network.interface.name", "veth1"))
        }
        #expect(!gone.isEmpty)
        #expect(gone.allSatisfy { !$0.isOpen })
        #expect(bench.value("system.network.io", "eth0", "receive") != nil)
    }

    @Test func whatIsReadInAnotherWayFromNowOnIsClosed() throws {
        let bench = try started()
        bench.monitor.closeAll()
        #expect(bench.fake.series.allSatisfy { !$0.isOpen })
    }

    private func started() throws -> LinkBench {
        let bench = LinkBench([.loopback, .hardware(2, "eth0"), .virtual(3, "veth1", "veth")])
        try bench.collect()
        try bench.collect()
        return bench
    }
}

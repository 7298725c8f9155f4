import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct ProcNetSourceTests {
    private static let ethernetIn = "system.network.io{network.interface.name=eth0,network.io.direction=receive}"
    private static let header = "face |bytes|bytes\n"

    @Test func numbersArriveExactly() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-5.10"))
        try harness.collect()
        let values = harness.host.lastCommit
        #expect(values[Self.ethernetIn] == .unsigned(98_712_345_678))
        #expect(values["sonde.kernel.tcp.curr_estab"] == .unsigned(42))
        #expect(values["sonde.kernel.tcp.max_conn"] == .signed(-1))
        #expect(values["sonde.kernel.sockstat.tcp.tw"] == .unsigned(17))
        #expect(
            values["sonde.udp.datagram.error{error.type=no_port,network.type=ipv4}"] == .unsigned(7)
        )
        #expect(
            values[
                "sonde.icmp.message.count{icmp.type=router_advertisement,network.io.direction=receive,network.type=ipv4}"
            ] == .unsigned(3)
        )
    }

    @Test(arguments: ProcTree.fixtures)
    func noSeriesHasTwoSamplesInOneCollection(fixture: String) throws {
        let harness = try ProcTree.started(ProcTree.fixture(fixture))
        try harness.collect()
        let samples = try #require(harness.host.commits.last)
        #expect(samples.count == harness.host.lastCommit.count)
    }

    @Test(arguments: ProcTree.fixtures)
    func everythingThatIsReportedStandsInTheCatalog(fixture: String) throws {
        let harness = try ProcTree.started(ProcTree.fixture(fixture))
        try harness.collect()
        let catalog = Dictionary(uniqueKeysWithValues: ProcNetSource.descriptor.metrics.map { ($0.name, $0) })
        for series in harness.host.series.map(\.specification) {
            guard let metric = catalog[series.name] else {
                #expect(fixture == "hostile", "\(series.name) is not in the catalog")
                continue
            }
            #expect(metric.kind == series.kind && metric.unit == series.unit, "\(series.name)")
            #expect(Set(series.attributes.map(\.name)) == Set(metric.attributes), "\(series.name)")
        }
    }

    @Test func seriesAreOpenedOnce() throws {
        let harness = try ProcTree.started(ProcTree.fixture("linux-6.18"))
        // Ratios take two readings.
        for _ in 0..<2 { try harness.collect() }
        let opened = harness.host.series
        let first = harness.host.commits.last
        try harness.collect()
        #expect(harness.host.series == opened)
        #expect(harness.host.commits.last == first)
    }

    @Test func aChangedFileIsSeenAtTheNextCollection() throws {
        let tree = try ProcTree()
        try tree.write(.dev, Self.header + "eth0: 1 2\n")
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        try tree.write(.dev, Self.header + "eth0: 10 20\n")
        try harness.collect()
        #expect(harness.host.lastCommit[Self.ethernetIn] == .unsigned(10))
    }

    @Test func aVanishedInterfaceClosesItsSeriesAndOneOfThatNameOpensAnew() throws {
        let tree = try ProcTree()
        let both = Self.header + "lo: 1 2\neth0: 3 4\n"
        try tree.write(.dev, both)
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        try tree.write(.dev, Self.header + "lo: 1 2\n")
        try harness.collect()
        #expect(harness.host.series.map(\.isOpen) == [true, true, false, false])
        #expect(harness.host.commits.last?.count == 2)
        try tree.write(.dev, both)
        try harness.collect()
        #expect(harness.host.series.map(\.isOpen) == [true, true, false, false, true, true])
        #expect(harness.host.lastCommit[Self.ethernetIn] == .unsigned(3))
    }

    @Test func aSkippedRowKeepsItsSeries() throws {
        let tree = try ProcTree()
        try tree.write(.dev, Self.header + "eth0: 3 4\n")
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        try tree.write(.dev, Self.header + "eth0: 3\n")
        try harness.collect()
        #expect(harness.host.series.allSatisfy { $0.isOpen })
        #expect(
            harness.host.lastCommit == ["sonde.source.input.skipped{sonde.skip.reason=row_mismatch}": .unsigned(1)])
    }

    @Test func reorderedRowsAndColumnsGoToTheSameSeries() throws {
        let tree = try ProcTree()
        try tree.write(.snmp, "Tcp: InSegs OutRsts\nTcp: 1 2\nUdp: NoPorts\nUdp: 3\n")
        let harness = try tree.started(tables: [.snmp])
        try harness.collect()
        let before = harness.host.lastCommit
        try tree.write(.snmp, "Udp: NoPorts\nUdp: 3\nTcp: OutRsts InSegs\nTcp: 2 1\n")
        try harness.collect()
        #expect(harness.host.lastCommit == before)
        #expect(harness.host.series.count == 3)
    }

    @Test func aTypeOfICMPMessageThatAppearsLaterJoinsTheOthers() throws {
        let tree = try ProcTree()
        let icmp = "Icmp: InDestUnreachs\nIcmp: 5\n"
        try tree.write(.snmp, icmp + "IcmpMsg: InType3\nIcmpMsg: 5\n")
        let harness = try tree.started(tables: [.snmp])
        try harness.collect()
        #expect(harness.host.commits.last?.count == 1)
        try tree.write(.snmp, icmp + "IcmpMsg: InType3 InType40\nIcmpMsg: 5 1\n")
        try harness.collect()
        #expect(harness.host.commits.last?.map(\.value) == [.unsigned(5), .unsigned(1)])
        #expect(harness.host.series.allSatisfy { $0.isOpen })
    }

    @Test func columnsOfANewerKernelComeThroughWithOneNote() throws {
        let tree = try ProcTree()
        try tree.write(.netstat, "TcpExt: ListenDrops TCPBrandNew\nTcpExt: 1 2\n")
        let harness = try tree.started(tables: [.netstat])
        try harness.collect()
        #expect(harness.host.lastCommit["sonde.kernel.tcp_ext.tcp_brand_new"] == .unsigned(2))
        try tree.write(.netstat, "TcpExt: ListenDrops TCPBrandNew TCPNewer\nTcpExt: 1 2 3\n")
        try harness.collect()
        #expect(harness.host.lastCommit["sonde.kernel.tcp_ext.tcp_newer"] == .unsigned(3))
        #expect(harness.host.log.count == 1)
        #expect(harness.host.log.first?.contains("sonde.kernel.tcp_ext.tcp_brand_new") == true)
    }

    @Test func aHostileTreeYieldsWhatCanBeReadAndCountsTheRest() throws {
        let harness = try ProcTree.started(ProcTree.fixture("hostile"))
        try harness.collect()
        let values = harness.host.lastCommit
        #expect(values[Self.ethernetIn] == .unsigned(.max))
        #expect(values["sonde.kernel.tcp.curr_estab"] == .signed(-5))
        #expect(values["sonde.tcp.segment.count{network.io.direction=receive}"] == nil)
        let dropped = "sonde.network.interface.frame_error{network.interface.name=short,network.io.direction=receive}"
        #expect(values[dropped] == nil)
        let skipped = values.filter { $0.key.hasPrefix("sonde.source.input.skipped") }
        #expect(
            Set(skipped.keys)
                == Set(
                    ["row_mismatch", "malformed_line", "malformed_name", "duplicate", "value_range"].map {
                        "sonde.source.input.skipped{sonde.skip.reason=\($0)}"
                    }
                )
        )
        let logged = harness.host.log.count
        try harness.collect()
        #expect(harness.host.log.count == logged, "each problem is logged once")
    }

    @Test func refusedSeriesAreAskedForAgainWhenThereIsRoom() throws {
        let tree = try ProcTree()
        try tree.write(.dev, Self.header + "eth0: 1 2\neth1: 3 4\n")
        let harness = try tree.started(tables: [.dev])
        harness.host.seriesBound = 2
        try harness.collect()
        #expect(harness.host.commits.last?.count == 2)
        try tree.write(.dev, Self.header + "eth1: 3 4\n")
        harness.host.seriesBound = 10
        try harness.collect()
        #expect(harness.host.commits.last?.map(\.value).prefix(2) == [.unsigned(3), .unsigned(4)])
    }

    @Test func manyInterfacesAreRead() throws {
        let tree = try ProcTree()
        try tree.write(.dev, Self.header + (0..<1000).map { "veth\($0): \($0) 1\n" }.joined())
        let harness = try tree.started(tables: [.dev])
        try harness.collect()
        #expect(harness.host.commits.last?.count == 2000)
    }
}

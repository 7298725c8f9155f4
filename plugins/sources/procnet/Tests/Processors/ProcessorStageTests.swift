import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct ProcessorStageTests {
    private let tree: ProcTree

    init() throws {
        tree = try ProcTree()
        try write(
            "net/softnet_stat",
            """
            00000010 00000001 00000002 00000000 00000000 00000000 00000000 00000000 00000000 00000005 00000006 00000007 00000000 00000000 00000000
            00000020 00000003 00000004 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000001 00000003 00000000 00000000

            """
        )
        try write(
            "net/stat/nf_conntrack",
            """
            entries  clashres found new invalid ignore delete chainlength insert insert_failed drop early_drop icmp_error  expect_new expect_create expect_delete search_restart
            00000100  00000000 00000000 00000000 00000003 00000000 00000000 00000000 00000000 00000001 00000002 00000000 00000000  00000000 00000000 00000000 00000000
            00000100  00000000 00000000 00000000 00000004 00000000 00000000 00000000 00000000 00000000 00000005 00000000 00000000  00000000 00000000 00000000 00000000

            """
        )
        try write(
            "net/stat/arp_cache", "entries allocs table_fulls\n00000002 00000009 00000001\n00000002 00000001 00000000\n"
        )
        try write("sys/net/netfilter/nf_conntrack_max", "1024\n")
        try write("sys/net/netfilter/nf_conntrack_buckets", "512\n")
    }

    private func write(_ path: String, _ text: String) throws {
        let url = URL(filePath: "\(tree.root)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func started(_ tables: [String] = ["softnet", "conntrack", "neighbours"]) throws -> PluginHarness {
        let harness = try PluginHarness(
            sonde_plugin_procnet(),
            options: ["proc": .string(tree.root), "tables": .list(tables), "sockets": .string("off")]
        )
        try harness.start()
        try harness.collect()
        return harness
    }

    @Test func aSumOverProcessorsOfWhichOneCannotBeReadIsNotKnown() throws {
        try write("net/softnet_stat", "00000010 00000001 00000002\n00000020 0000000x 00000004\n")
        let values = try started(["softnet"]).host.lastCommit
        let processed = "sonde.softnet.cpu.packet.processed{cpu.logical_number=0,sonde.scope=host}"
        #expect(values[processed] == .unsigned(16), "\(values.keys.sorted())")
        #expect(values["sonde.softnet.packet.processed{sonde.scope=host}"] == nil)
    }

    @Test func softnetIsToldByProcessorAndSummedUpForTheHost() throws {
        let values = try started(["softnet"]).host.lastCommit
        #expect(values["sonde.softnet.packet.processed{sonde.scope=host}"] == .unsigned(48))
        #expect(values["sonde.softnet.packet.dropped{sonde.scope=host}"] == .unsigned(4))
        #expect(values["sonde.softnet.squeezed{sonde.scope=host}"] == .unsigned(6))
        #expect(values["sonde.softnet.received_rps{sonde.scope=host}"] == .unsigned(5))
        #expect(values["sonde.softnet.flow_limit{sonde.scope=host}"] == .unsigned(6))
        #expect(values["sonde.softnet.backlog{sonde.scope=host}"] == .unsigned(8))
        #expect(values["sonde.softnet.cpu.packet.processed{cpu.logical_number=3,sonde.scope=host}"] == .unsigned(32))
        #expect(values.count == 21)
    }

    @Test func anOlderKernelHasFewerColumns() throws {
        try write("net/softnet_stat", "00000010 00000001 00000002\n00000001 00000000 00000000\n")
        let values = try started(["softnet"]).host.lastCommit
        #expect(values["sonde.softnet.packet.processed{sonde.scope=host}"] == .unsigned(17))
        #expect(values["sonde.softnet.cpu.packet.processed{cpu.logical_number=1,sonde.scope=host}"] == .unsigned(1))
        #expect(!values.keys.contains { $0.contains("backlog") })
    }

    @Test func conntrackTellsItsTableAndWhatHappened() throws {
        let values = try started(["conntrack"]).host.lastCommit
        #expect(values["sonde.conntrack.entry.current"] == .unsigned(256))
        #expect(values["sonde.conntrack.entry.limit"] == .unsigned(1_024))
        #expect(values["sonde.conntrack.bucket.current"] == .unsigned(512))
        #expect(values["sonde.conntrack.entry.utilization"] == .double(0.25))
        #expect(values["sonde.conntrack.event.invalid"] == .unsigned(7))
        #expect(values["sonde.conntrack.event.drop"] == .unsigned(7))
        #expect(values["sonde.conntrack.event.insert_failed"] == .unsigned(1))
        #expect(values.keys.count { !$0.hasPrefix("sonde.conntrack.cpu.") } == 20)
    }

    @Test func theSumsOfConntrackAreThoseOfItsProcessors() throws {
        let values = try started(["conntrack"]).host.lastCommit
        let drops = (0..<2).map { number in
            values["sonde.conntrack.cpu.event{cpu.logical_number=\(number),sonde.conntrack.event=drop}"]
        }
        #expect(drops == [.unsigned(2), .unsigned(5)])
        var sums: [String: UInt64] = [:]
        for (name, value) in values where name.hasPrefix("sonde.conntrack.cpu.event{") {
            guard case .unsigned(let number) = value, let event = name.dropLast().split(separator: "=").last else {
                continue
            }
            sums[String(event), default: 0] += number
        }
        #expect(sums.count == 16)
        for (event, sum) in sums { #expect(values["sonde.conntrack.event.\(event)"] == .unsigned(sum), "\(event)") }
    }

    @Test func aRowThatCannotBeReadTakesNoProcessorsPlace() throws {
        try write("net/stat/nf_conntrack", "entries drop\n00000001 0000000x\n00000001 00000005\n")
        let values = try started(["conntrack"]).host.lastCommit
        #expect(!values.keys.contains { $0.hasPrefix("sonde.conntrack.cpu.") || $0.contains("event") })
        #expect(values["sonde.conntrack.entry.current"] == .unsigned(1))
    }

    @Test func cachesOfNeighboursAreSummedUp() throws {
        let values = try started(["neighbours"]).host.lastCommit
        #expect(values["sonde.neighbour.event.table_fulls{network.type=ipv4,sonde.scope=host}"] == .unsigned(1))
        #expect(values["sonde.neighbour.event.allocs{network.type=ipv4,sonde.scope=host}"] == .unsigned(10))
        #expect(values.count == 2)
    }

    @Test func whatIsNotThereIsNotZero() throws {
        for path in ["net/softnet_stat", "net/stat/nf_conntrack", "net/stat/arp_cache"] {
            try FileManager.default.removeItem(atPath: "\(tree.root)/\(path)")
        }
        let harness = try started()
        #expect(harness.host.lastCommit.isEmpty)
        #expect(harness.host.log.isEmpty, "a kernel without connection tracking is no trouble")
    }

    @Test func withoutALimitTheTableHasNoUse() throws {
        try FileManager.default.removeItem(atPath: "\(tree.root)/sys/net/netfilter/nf_conntrack_max")
        let values = try started(["conntrack"]).host.lastCommit
        #expect(values["sonde.conntrack.entry.current"] == .unsigned(256))
        #expect(values["sonde.conntrack.entry.utilization"] == nil)
        #expect(values["sonde.conntrack.entry.limit"] == nil)
    }

    @Test func whatIsNoRowIsCounted() throws {
        try write("net/softnet_stat", "00000010 00000001 00000002\nnonsense\n")
        let values = try started(["softnet"]).host.lastCommit
        #expect(values["sonde.source.input.skipped{sonde.skip.reason=row_mismatch}"] == .unsigned(1))
    }

    @Test func aProcessorThatIsGoneClosesItsSeries() throws {
        let harness = try started(["softnet"])
        let text = try String(contentsOfFile: "\(tree.root)/net/softnet_stat", encoding: .utf8)
        try write("net/softnet_stat", text.split(separator: "\n")[0] + "\n")
        harness.host.monotonicTime = .distantFuture
        try harness.collect()
        let closed = harness.host.series.filter { !$0.isOpen }
        #expect(closed.count == 7)
        #expect(closed.allSatisfy { $0.specification.attributes.contains(Attribute("cpu.logical_number", "3")) })
        #expect(harness.host.lastCommit["sonde.softnet.packet.processed{sonde.scope=host}"] == .unsigned(48))
    }

    @Test(arguments: [
        ("1024\n", 1_024), ("0\n", 0), ("1024", nil), ("10 24\n", nil), ("-1\n", nil), ("\n", nil), ("", nil),
    ])
    func aSettingIsALineWithANumber(text: String, number: UInt64?) {
        #expect(Array(text.utf8).withUnsafeBytes { ConntrackSettings.number($0) } == number)
    }
}

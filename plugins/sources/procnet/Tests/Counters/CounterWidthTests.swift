import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// Where the kernel keeps a count in 32 bits, its end is no reset: the series has that width.
@Suite struct CounterWidthTests {
    private static let wireless = """
        Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
         face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
         wlan0: 0000   54.  -56.  -256        0      1      2      3    123        4

        """

    /// The widths of the counters whose name begins so, by name.
    private static func widths(_ host: FakeHost, _ prefixes: [String]) -> [String: Int?] {
        var widths: [String: Int?] = [:]
        for series in host.series.map(\.specification) where series.kind == .counter {
            guard prefixes.contains(where: { series.name.hasPrefix($0) }) else { continue }
            widths[series.name] = series.counterBits
        }
        return widths
    }

    /// `struct softnet_data`, `struct ip_conntrack_stat`, `struct iw_discarded`; the sums over processors are our own.
    @Test func whatProcessorsAndWirelessDevicesCountHas32Bits() throws {
        let tree = try ProcTree()
        for (path, text) in [
            ("net/softnet_stat", "00000010 00000001 00000002 0 0 0 0 0 0 00000005 00000006 00000007 00000000\n"),
            ("net/stat/nf_conntrack", "entries drop insert_failed\n00000100 00000002 00000001\n"),
            ("net/wireless", Self.wireless),
        ] {
            let url = URL(filePath: "\(tree.root)/\(path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        let harness = try PluginHarness(
            sonde_plugin_procnet(),
            options: [
                "proc": .string(tree.root), "tables": .list(["softnet", "conntrack", "wireless"]),
                "sockets": .string("off"),
            ]
        )
        try harness.start()
        try harness.collect()
        let each = Self.widths(harness.host, ["sonde.softnet.cpu.", "sonde.conntrack.cpu.", "sonde.wireless."])
        #expect(each.count == 9)
        #expect(each.values.allSatisfy { $0 == 32 })
        let sums = Self.widths(harness.host, ["sonde.softnet.", "sonde.conntrack."]).filter {
            !$0.key.contains(".cpu.")
        }
        #expect(sums.count == 8)
        #expect(sums.values.allSatisfy { $0 == 64 })
    }

    /// The sums that are our own continue when a processor's count has wrapped.
    @Test func aSumGoesOnPastTheEndOf32Bits() {
        var sum = ProcessorSum()
        for value in [4_294_967_290, 4_294_967_295, 4, 10] as [UInt64] {
            sum.begin()
            sum.take(0, value)
        }
        #expect(sum.total == 4_294_967_296 + 10)
    }

    /// Changes of the carrier are `atomic_t`; what an interface carried has 64 bits (`struct rtnl_link_stats64`).
    @Test func changesOfTheCarrierHave32BitsAndTrafficHas64() throws {
        let bench = LinkBench([.hardware(2, "eth0")])
        bench.change("eth0") { $0.counters = [1, 2, 3, 4] }
        try bench.collect()
        let carrier = Self.widths(bench.fake, ["sonde.network.interface.carrier"])
        #expect(carrier.count == 3)
        #expect(carrier.values.allSatisfy { $0 == 32 })
        let traffic = Self.widths(bench.fake, ["system.network."])
        #expect(!traffic.isEmpty)
        #expect(traffic.values.allSatisfy { $0 == 64 })
    }
}

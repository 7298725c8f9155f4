import Foundation
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import ProcNetPlugin

/// The host's total where there is only `/proc/net/dev`.
@Suite struct FallbackTotalTests {
    private static let header = """
        Inter-|   Receive                                                |  Transmit
         face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed

        """

    private let tree: ProcTree

    init() throws {
        tree = try ProcTree()
    }

    private func write(_ devices: [String: (received: Int, sent: Int)]) throws {
        let rows = devices.sorted { $0.key < $1.key }.map { name, bytes in
            "\(name): \(bytes.received) \(bytes.received / 100) 0 0 0 0 0 0 \(bytes.sent) \(bytes.sent / 100) 0 0 0 0 0 0\n"
        }
        try tree.write(.dev, Self.header + rows.joined())
    }

    private func started(_ uplinks: [String]) throws -> PluginHarness {
        let harness = try PluginHarness(
            sonde_plugin_procnet(),
            options: ["proc": .string(tree.root), "tables": .list(["dev"]), "uplinks": .list(uplinks)]
        )
        try harness.start()
        return harness
    }

    private func total(_ harness: PluginHarness, _ direction: String = "receive") throws -> SampleValue? {
        try harness.collect()
        return harness.host.lastCommit["sonde.network.host.io{network.io.direction=\(direction)}"]
    }

    @Test func namedInterfacesAreAddedUp() throws {
        try write(["eth0": (1_000, 50), "eth1": (200, 7), "br0": (9_000, 9)])
        let harness = try started(["eth0", "eth1"])
        #expect(try total(harness) == .unsigned(1_200))
        try write(["eth0": (1_500, 60), "eth1": (200, 8), "br0": (9_000, 9)])
        #expect(try total(harness) == .unsigned(1_700))
        #expect(harness.host.lastCommit["sonde.network.host.io{network.io.direction=transmit}"] == .unsigned(68))
        #expect(
            harness.host.lastCommit["sonde.network.host.packet.count{network.io.direction=receive}"] == .unsigned(17))
        let uplinks = harness.host.lastCommit.keys.filter { $0.hasPrefix("sonde.network.uplink{") }
        #expect(uplinks.count == 2)
        #expect(uplinks.allSatisfy { $0.contains("sonde.uplink.rule=configured") })
    }

    @Test func withoutNamesTheTotalIsNotKnown() throws {
        try write(["eth0": (1_000, 50)])
        let harness = try started([])
        #expect(try total(harness) == nil)
        #expect(!harness.host.lastCommit.keys.contains { $0.hasPrefix("sonde.network.uplink") })
    }

    @Test func anInterfaceThatIsMissingMakesItUnknownAndNotSmaller() throws {
        try write(["eth0": (1_000, 50), "eth1": (200, 7)])
        let harness = try started(["eth0", "eth1"])
        #expect(try total(harness) == .unsigned(1_200))
        try write(["eth0": (1_100, 50)])
        #expect(try total(harness) == nil)
        try write(["eth0": (1_200, 50), "eth1": (260, 7)])
        #expect(try total(harness) == .unsigned(1_460))
    }

    @Test func anInterfaceThatIsMissingIsATroubleUntilItAppears() throws {
        try write(["eth0": (1_000, 50)])
        let harness = try started(["eth0", "eth7"])
        try harness.collect()
        try harness.collect()
        #expect(harness.host.troubles.map(\.code) == ["SND-PRC006"])
        let trouble = try #require(harness.host.troubles.first)
        #expect(trouble.failureClass == .configuration)
        #expect(trouble.optionPath == "uplinks[1]")
        #expect(trouble.message.contains("'eth7'"))
        try write(["eth0": (1_000, 50), "eth7": (1, 1)])
        try harness.collect()
        #expect(harness.host.troubles == [])
        try write(["eth7": (1, 1)])
        try harness.collect()
        #expect(harness.host.troubles.map(\.optionPath) == ["uplinks[0]"])
    }

    @Test func aCounterThatFellIsNoSpike() throws {
        try write(["eth0": (1_000, 50)])
        let harness = try started(["eth0"])
        #expect(try total(harness) == .unsigned(1_000))
        try write(["eth0": (10, 5)])
        #expect(try total(harness) == .unsigned(1_000))
        try write(["eth0": (25, 5)])
        #expect(try total(harness) == .unsigned(1_015))
    }
}

import Foundation
import SondeDomain
import Testing

@testable import ProcNetPlugin
@testable import SondePluginKit
@testable import SondeTestKit

@Suite struct WirelessTests {
    // Made after wireless_seq_printf_stats, net/wireless/wext-proc.c: no device of ours is wireless.
    private static let text = """
        Inter-| sta-|   Quality        |   Discarded packets               | Missed | WE
         face | tus | link level noise |  nwid  crypt   frag  retry   misc | beacon | 22
         wlan0: 0000   54.  -56.  -256        0      1      2      3    123        4
         wlp3s0: 0001   70   40    0          5      0      0      0      0        0

        """

    private func rows(_ text: String) -> (rows: [WirelessTable.Row], problems: UInt64) {
        var problems = InputProblemCounts()
        let rows = Array(text.utf8).withUnsafeBytes { WirelessTable.rows($0, &problems) }
        return (rows, problems.total)
    }

    @Test func levelsInDecibelsAreToldAndOthersLeftOut() {
        let found = rows(Self.text)
        #expect(
            found.rows == [
                WirelessTable.Row(
                    name: "wlan0", quality: 54, signal: -56, noise: nil, discarded: [0, 1, 2, 3, 123], missedBeacons: 4),
                WirelessTable.Row(
                    name: "wlp3s0", quality: 70, signal: nil, noise: nil, discarded: [5, 0, 0, 0, 0], missedBeacons: 0),
            ])
        #expect(found.problems == 0)
    }

    @Test func aFileCutAtAnyByteGivesWholeRowsOnly() {
        let bytes = Array(Self.text.utf8)
        for length in 0...bytes.count {
            let found = rows(String(decoding: bytes.prefix(length), as: UTF8.self)).rows
            let lines = bytes.prefix(length).count { $0 == UInt8(ascii: "\n") }
            #expect(found == Array(rows(Self.text).rows.prefix(max(0, lines - 2))), "cut at \(length)")
        }
    }

    @Test(arguments: [
        "wlan0 0000 54 -56 -256 0 0 0 0 0 0", "wlan0: 0000 54 -56 -256 0 0 0 0 0",
        "wlan0: 0000 54 -56 -256 0 0 0 0 0 0 0",
        "wlan0: 0000 -54 -56 -256 0 0 0 0 0 0", ": 0000 54 -56 -256 0 0 0 0 0 0", "a b: 0000 54 -56 -256 0 0 0 0 0 0",
        "wlan0: 0000 54 -99999 -256 0 0 0 0 0 0", "wlan0: 0000 54 -56 -256 0 0 0 0 0 -1", "wlan0:",
    ])
    func whatIsNoRowIsCounted(line: String) {
        let found = rows("a\nb\n\(line)\n")
        #expect(found.rows.isEmpty)
        #expect(found.problems == 1)
    }

    @Test func aFileThatIsNotThereIsLookedForWhenALinkChanged() throws {
        let tree = try ProcTree()
        let fake = FakeHost()
        let host = PluginHost(fake.record)
        let stage = WirelessStage(
            NamespaceView(.own, proc: tree.root), GlobFilter(include: [], exclude: []), limits: TableLimits(),
            host: host)
        let file = URL(filePath: "\(tree.root)/net/wireless")
        func found(_ links: UInt64?) -> Int {
            var samples = SampleBuffer()
            stage.read(ReadingTimes(boot: nil, now: Timestamp(seconds: 1)), links: links, into: &samples)
            return samples.count
        }
        #expect(found(1) == 0)
        try Data(Self.text.utf8).write(to: file)
        #expect(found(1) == 0, "nothing changed since")
        let all = found(2)
        #expect(all > 0)
        #expect(found(2) == all)
        try FileManager.default.removeItem(at: file)
        #expect(found(2) == 0)
        #expect(fake.series.allSatisfy { !$0.isOpen })
        try Data(Self.text.utf8).write(to: file)
        #expect(found(nil) == all, "nobody knows whether links changed")
    }

    @Test func aDeviceIsToldUnderItsName() throws {
        let tree = try ProcTree()
        try Data(Self.text.utf8).write(to: URL(filePath: "\(tree.root)/net/wireless"))
        let harness = try PluginHarness(
            sonde_plugin_procnet(),
            options: [
                "proc": .string(tree.root), "tables": .list(["wireless"]), "interfaces.include": .list(["wlan*"]),
            ]
        )
        try harness.start()
        try harness.collect()
        let values = harness.host.lastCommit
        let name = "network.interface.name=wlan0"
        #expect(values["sonde.wireless.link.quality{\(name)}"] == .unsigned(54))
        #expect(values["sonde.wireless.signal{\(name)}"] == .signed(-56))
        #expect(values["sonde.wireless.packet.discarded{\(name),sonde.wireless.discard.reason=retry}"] == .unsigned(3))
        #expect(values["sonde.wireless.beacon.missed{\(name)}"] == .unsigned(4))
        #expect(values.count == 8)
    }
}

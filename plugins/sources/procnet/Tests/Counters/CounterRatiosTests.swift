import Foundation
import SondeDomain
import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct CounterRatiosTests {
    private static let names = "Tcp: ActiveOpens PassiveOpens EstabResets OutSegs RetransSegs\n"

    private func table(_ opens: Int, _ resets: Int, _ sent: Int, _ again: Int, udp: Int = 0, lost: Int = 0) -> String {
        Self.names + "Tcp: \(opens) \(opens) \(resets) \(sent) \(again)\n"
            + "Udp: InDatagrams RcvbufErrors\nUdp: \(udp) \(lost)\n"
    }

    /// What the readings come to, ten seconds apart.
    private func values(_ readings: [String], overflows: [Int] = []) throws -> [String: SampleValue] {
        let tree = try ProcTree()
        let harness = try tree.started(tables: [.snmp, .netstat])
        for (index, reading) in readings.enumerated() {
            try tree.write(.snmp, reading)
            if index < overflows.count {
                try tree.write(.netstat, "TcpExt: ListenOverflows\nTcpExt: \(overflows[index])\n")
            }
            harness.host.monotonicTime = MonotonicInstant(nanoseconds: Int64(index + 1) * 10_000_000_000)
            try harness.collect()
        }
        return harness.host.lastCommit
    }

    @Test func ratiosAreOfTheLastInterval() throws {
        let first = table(100, 50, 1_000_000, 500_000, udp: 5, lost: 5)
        let second = table(110, 55, 1_001_000, 500_020, udp: 104, lost: 6)
        let values = try values([first, second], overflows: [7, 57])
        #expect(values["sonde.tcp.segment.retransmit.ratio"] == .double(0.02))
        #expect(values["sonde.tcp.connection.reset.ratio"] == .double(0.25))
        #expect(values["sonde.udp.datagram.receive_buffer.loss.ratio{network.type=ipv4}"] == .double(0.01))
        #expect(values["sonde.tcp.listen.overflow.rate"] == .double(5))
        #expect(values["sonde.udp.datagram.receive_buffer.loss.ratio{network.type=ipv6}"] == nil)
    }

    @Test func oneReadingIsNoRatio() throws {
        let values = try values([table(100, 50, 1_000, 500)], overflows: [7])
        #expect(!values.keys.contains { $0.hasSuffix(".ratio") || $0.hasSuffix(".rate") })
    }

    @Test func nothingSentIsNoRatio() throws {
        let reading = table(100, 50, 1_000, 500)
        let values = try values([reading, reading], overflows: [7, 7])
        #expect(!values.keys.contains { $0.hasSuffix(".ratio") })
        #expect(values["sonde.tcp.listen.overflow.rate"] == .double(0), "none in an interval is 0 per second")
    }

    @Test func aCounterThatFellIsNoRatio() throws {
        let values = try values([table(100, 50, 1_000, 500), table(1, 0, 10, 2)], overflows: [7, 3])
        #expect(!values.keys.contains { $0.hasSuffix(".ratio") || $0.hasSuffix(".rate") })
    }

    @Test func aTableThatWasMissingIsNoRatio() throws {
        let tree = try ProcTree()
        let harness = try tree.started(tables: [.snmp, .sockstat])
        try tree.write(.sockstat, "TCP: inuse 1\n")
        for reading in [table(100, 50, 1_000, 500), nil, table(110, 50, 2_000, 510)] {
            if let reading { try tree.write(.snmp, reading) } else { try tree.remove(.snmp) }
            try harness.collect()
            #expect(!harness.host.lastCommit.keys.contains { $0.hasSuffix(".ratio") })
        }
    }

    @Test func ratiosNeedNoCounterThatIsReported() throws {
        let tree = try ProcTree()
        let harness = try tree.started(tables: [.snmp], counters: ["Tcp.ActiveOpens"])
        for sent in [1_000, 2_000] {
            try tree.write(.snmp, table(sent, 50, sent, sent / 10))
            try harness.collect()
        }
        #expect(harness.host.lastCommit["sonde.tcp.segment.retransmit.ratio"] == .double(0.1))
        #expect(harness.host.lastCommit["sonde.tcp.segment.retransmitted"] == nil)
    }

    @Test func everyWatchedColumnIsOneThatTheKernelHas() throws {
        for column in WatchedColumn.allCases {
            let tree = ProcTree.fixture("linux-6.18") + "/" + column.table.path
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: tree)))
            let learned = Learned(column.table, bytes)
            let place = try #require(WatchedColumn.places(learned.sections, of: column.table)[column])
            #expect(place < learned.numbers.count)
        }
    }
}

import SondeDomain
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// Random traffic against a dictionary.
@Suite struct FlowModelTests {
    typealias End = TrafficUnderTest.End

    /// Flows as a dictionary holds them, without time-outs.
    private struct Model {
        var flows: [Set<End>: PacketCount] = [:]
        var all = PacketCount()

        mutating func add(_ ends: (End, End), _ length: UInt32) {
            flows[[ends.0, ends.1], default: PacketCount()].add(length)
            all.add(length)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everyFlowHasThePacketsThatADictionaryHas(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let traffic = TrafficUnderTest(.file(bytes: 1 << 20))
        var model = Model()
        for _ in 0..<30_000 {
            let ends = (End.random(using: &generator), End.random(using: &generator))
            let length = UInt32.random(in: 60...1514, using: &generator)
            traffic.datagram(ends.0, ends.1, length: length)
            traffic.time += .random(in: 0...1_000_000, using: &generator)
            model.add(ends, length)
        }
        #expect(traffic.totals.active == UInt64(model.flows.count))
        #expect(traffic.totals.conversations(.udp) == UInt64(model.flows.count))
        #expect(traffic.counted == model.all)
        for (ends, count) in model.flows {
            let list = Array(ends)
            let key = FlowKey.of(.between(list[0], list[list.count - 1], .udp)).key
            let found = traffic.tracker.table.slot(of: key, hash: traffic.tracker.table.hash(of: key))
            let slot = try #require(found)
            let flow = traffic.tracker.table[slot].pointee
            #expect(PacketCount(packets: flow.packets, bytes: flow.bytes) == count)
        }
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everySumStaysTrueWhileFlowsEnd(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var settings = FlowSettings()
        settings.bytes = 40_000
        settings.activeTimeout = .seconds(20)
        settings.datagramTimeout = .milliseconds(300)
        settings.rankingCapacity = 20
        let traffic = TrafficUnderTest(settings)
        var all = PacketCount()
        for step in 0..<20_000 {
            let ends = (End.random(using: &generator), End.random(using: &generator))
            let flags = TCPFlags(rawValue: .random(in: 0...255, using: &generator))
            if Bool.random(using: &generator) {
                traffic.segment(flags, from: ends.0, to: ends.1, sequence: .random(in: 0...9, using: &generator))
                all.add(54)
            } else {
                traffic.datagram(ends.0, ends.1, length: 100)
                all.add(100)
            }
            traffic.time += .random(in: -1_000_000...5_000_000, using: &generator)
            if step % 5000 == 0 { _ = traffic.tracker.rank() }
        }
        let rest = traffic.tracker.rank()
        #expect(rest == nil)
        #expect(traffic.counted == all)
        #expect(traffic.totals.active == UInt64(traffic.held))
        #expect(traffic.totals.ended(.evicted) > 0 && traffic.totals.ended(.idle) > 0)
        #expect(traffic.totals.durations?.count == traffic.totals.ended)
        #expect(traffic.totals.sizes?.count == traffic.totals.ended)
        #expect(traffic.top(.peers)?.total == all.bytes)
        #expect(traffic.top(.services)?.total == all.bytes)
        #expect(traffic.top(.conversations)?.total == all.bytes)
        #expect(traffic.memory <= settings.bytes)
    }
}

extension TrafficUnderTest.End {
    fileprivate static func random(using generator: inout SeededGenerator) -> Self {
        Self(.random(in: 1...8, using: &generator), .random(in: 1...8, using: &generator))
    }
}

import SondeDomain
import Testing

@testable import ProcNetPlugin
@testable import SondePluginKit
@testable import SondeTestKit

@Suite struct ListenerTableTests {
    private func listener(_ queue: UInt64, of limit: UInt64, drops: UInt64 = 0) -> ListenerTable.Port {
        ListenerTable.Port(queue: queue, limit: limit, use: Double(queue) / Double(limit), drops: drops)
    }

    @Test func listenersThatShareAPortAddUpAndTheFullestIsTold() {
        var table = ListenerTable()
        table.add(443, listener(1, of: 4, drops: 2))
        table.add(443, listener(8, of: 16, drops: 3))
        #expect(table.ports == [443: ListenerTable.Port(queue: 9, limit: 20, use: 0.5, drops: 5)])
        #expect(table.rest == nil)
    }

    @Test func whatAReadingDoesNotTellIsNotZero() {
        var table = ListenerTable()
        table.add(80, ListenerTable.Port(queue: 1))
        table.add(80, ListenerTable.Port(queue: 2))
        #expect(table.ports[80] == ListenerTable.Port(queue: 3))
    }

    @Test func aSumOverListenersOfWhichOneTellsNothingIsNotKnown() {
        var table = ListenerTable()
        table.add(80, listener(1, of: 4, drops: 2))
        table.add(80, ListenerTable.Port(queue: 2))
        table.add(80, listener(1, of: 4, drops: 2))
        #expect(table.ports[80] == ListenerTable.Port(queue: 4))
    }

    @Test(arguments: [false, true]) func thePortsWithTheLowestNumbersAreToldApart(isReversed: Bool) {
        var table = ListenerTable()
        let ports = (1...UInt16(200)).map { $0 }
        for _ in 0..<2 {
            for port in isReversed ? ports.reversed() : ports { table.add(port, listener(1, of: 1)) }
        }
        #expect(Set(table.ports.keys) == Set(1...UInt16(ListenerTable.limit)))
        #expect(table.ports.values.allSatisfy { $0.queue == 2 })
        #expect(table.rest?.queue == UInt64(2 * (200 - ListenerTable.limit)))
    }

    @Test func dropsCountFromTheFirstReadingOnAndOnlyRise() {
        var drops = ListenerDrops()
        var totals: [UInt64] = []
        for sum: UInt64 in [40, 45, 45, 3, 10] {
            drops.take(sum)
            totals.append(drops.total)
        }
        #expect(totals == [0, 5, 5, 5, 12])
    }

    @Test func aPortThatComesToTheOthersIsNoSpike() {
        let fake = FakeHost()
        let host = PluginHost(fake.record)
        var series = ListenerSeries(began: Timestamp(seconds: 1))
        func others(_ ports: some Sequence<UInt16>, drops: UInt64) -> SampleValue? {
            var table = ListenerTable()
            for port in ports { table.add(port, listener(0, of: 1, drops: port == 1_127 ? 1_000_000 : 0)) }
            table.add(2_000, listener(0, of: 1, drops: drops))
            var samples = SampleBuffer()
            series.append(table, to: &samples, host)
            _ = host.commit(samples)
            return fake.lastCommit["sonde.tcp.listener.drop{network.local.port=other}"]
        }
        let ports = (0..<UInt16(ListenerTable.limit)).map { 1_000 + $0 }
        #expect(others(ports, drops: 5) == .unsigned(0))
        #expect(others(ports, drops: 8) == .unsigned(3))
        #expect(others([80] + ports, drops: 8) == .unsigned(3), "port 1127 is one of them now")
        #expect(others([80] + ports, drops: 9) == .unsigned(4))
    }
}

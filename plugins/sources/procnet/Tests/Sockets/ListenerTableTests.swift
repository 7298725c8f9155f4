import Testing

@testable import ProcNetPlugin

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
}

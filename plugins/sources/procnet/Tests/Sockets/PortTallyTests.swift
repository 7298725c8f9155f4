import SondeTestKit
import Testing

@testable import ProcNetPlugin

@Suite struct PortTallyTests {
    private func sums(_ ports: [UInt16: (drops: UInt64, queue: UInt64)]) -> PortSums {
        var sums = PortSums()
        for (port, sum) in ports { sums.add(port, drops: sum.drops, queue: sum.queue) }
        return sums
    }

    @Test func aPortIsToldByItsNumberOnceItWasFoundTwice() {
        var tally = PortTally()
        #expect(tally.take(sums([53: (100, 7)])).other == 7)
        #expect(tally.counted.isEmpty)
        #expect(tally.other == 0, "what was dropped before is nobody's")
        let held = tally.take(sums([53: (130, 9), 40_000: (4, 1)]))
        #expect(tally.counted == [53: 30])
        #expect(tally.other == 4)
        #expect(held.queues == [53: 9])
        #expect(held.other == 1)
    }

    @Test func allPortsTogetherCountEveryDrop() {
        var tally = PortTally()
        var drops: [UInt16: UInt64] = [:]
        var random = SeededGenerator(seed: 5)
        _ = tally.take(PortSums())
        var total: UInt64 = 0
        for _ in 0..<50 {
            for _ in 0..<20 {
                let port = UInt16.random(in: 1...200, using: &random)
                drops[port, default: 0] += 3
                total += 3
            }
            _ = tally.take(sums(drops.mapValues { ($0, 0) }))
        }
        #expect(tally.counted.count == PortTally.worst)
        #expect(tally.counted.values.reduce(tally.other, +) <= total)
        #expect(tally.other > 0)
    }

    @Test func withoutChangesOfPlaceNothingIsLost() {
        var tally = PortTally()
        _ = tally.take(sums([1: (10, 0), 2: (10, 0)]))
        _ = tally.take(sums([1: (15, 0), 2: (10, 0), 3: (2, 0)]))
        _ = tally.take(sums([1: (25, 0), 2: (11, 0), 3: (4, 0)]))
        #expect(tally.counted == [1: 15, 2: 1, 3: 2])
        #expect(tally.other == 2)
    }

    @Test func aPortThatComesToThoseBeyondTheLimitIsNoSpike() {
        func sums(_ ports: some Sequence<UInt16>, beyond: [UInt16: UInt64]) -> PortSums {
            var sums = PortSums()
            for port in ports { sums.add(port, drops: 1_000_000, queue: 0) }
            for (port, drops) in beyond { sums.add(port, drops: drops, queue: 0) }
            return sums
        }
        let ports = (1...UInt16(PortSums.limit)).map { $0 }
        var tally = PortTally()
        _ = tally.take(sums(ports, beyond: [9_000: 5]))
        _ = tally.take(sums(ports, beyond: [9_000: 8]))
        #expect(tally.other == 3)
        // Another port is before them now: the last one moves to those beyond.
        _ = tally.take(sums([8_000] + ports.dropLast(), beyond: [9_000: 8, UInt16(PortSums.limit): 1_000_000]))
        #expect(tally.other == 3)
        _ = tally.take(sums([8_000] + ports.dropLast(), beyond: [9_000: 9, UInt16(PortSums.limit): 1_000_000]))
        #expect(tally.other == 4)
    }

    @Test func aPortThatIsTwiceAsBadTakesThePlaceOfTheMildest() {
        var tally = PortTally()
        var ports: [UInt16: (drops: UInt64, queue: UInt64)] = [:]
        for port in 1...UInt16(PortTally.worst) { ports[port] = (UInt64(port) * 10, 0) }
        _ = tally.take(sums(ports))
        _ = tally.take(sums(ports))
        ports[1_000] = (15, 0)
        _ = tally.take(sums(ports))
        _ = tally.take(sums(ports))
        #expect(tally.counted[1_000] == nil, "not twice as bad as port 1")
        ports[1_000] = (90, 0)
        _ = tally.take(sums(ports))
        #expect(tally.counted[1_000] == 75)
        #expect(tally.counted[1] == nil)
        #expect(tally.counted.count == PortTally.worst)
    }

    @Test func aPortThatIsGoneIsForgotten() {
        var tally = PortTally()
        for _ in 0..<2 { _ = tally.take(sums([53: (5, 0)])) }
        _ = tally.take(sums([:]))
        #expect(tally.counted.isEmpty)
        _ = tally.take(sums([53: (2, 0)]))
        #expect(tally.other == 2, "a new socket begins at 0")
    }

    @Test func aSumThatFallsIsNoSpike() {
        var tally = PortTally()
        for drops in [50, 60, 20, 25] { _ = tally.take(sums([53: (UInt64(drops), 0)])) }
        #expect(tally.counted == [53: 15])
    }

    @Test func portsBeyondTheLimitAreOne() {
        var tally = PortTally()
        for round in 0..<3 as Range<UInt64> {
            var sums = PortSums()
            for port in 1...UInt16(5_000) { sums.add(port, drops: 1 + round, queue: 2) }
            #expect(sums.ports.count == PortSums.limit)
            let held = tally.take(sums)
            #expect(held.queues.values.reduce(held.other, +) == 10_000)
        }
        #expect(tally.counted.values.reduce(tally.other, +) == 10_000)
    }

    private func unknown(_ ports: [UInt16: UInt64?]) -> PortSums {
        var sums = PortSums()
        for (port, drops) in ports { sums.add(port, drops: drops, queue: 1) }
        return sums
    }

    @Test func dropsThatAreNotToldAreUnknownAndNotZero() {
        var tally = PortTally()
        let held = tally.take(unknown([53: nil, 54: 7]))
        #expect(tally.unknown == [nil])
        #expect(held.other == 2, "what they hold is known all the same")
        _ = tally.take(unknown([53: nil, 54: 9]))
        #expect(tally.counted == [53: 0, 54: 2])
        #expect(tally.unknown == [53], "each for itself")
    }

    @Test func whatWasDroppedWhileItWasNotToldIsCountedOnceItIs() {
        var tally = PortTally()
        for drops in [10, 15, nil, nil, 40] as [UInt64?] { _ = tally.take(unknown([53: drops])) }
        #expect(tally.counted == [53: 30])
        #expect(tally.unknown.isEmpty)
    }

    @Test func whatWasNeverToldBeginsWithTheFirstWalkThatTellsIt() {
        var tally = PortTally()
        for drops in [nil, nil, 40, 42] as [UInt64?] { _ = tally.take(unknown([53: drops])) }
        #expect(tally.counted == [53: 2])
    }

    @Test func aSumOverSocketsOfWhichOneTellsNothingIsNotKnown() {
        var sums = PortSums()
        sums.add(53, drops: 4, queue: 0)
        sums.add(53, drops: nil, queue: 0)
        sums.add(53, drops: 5, queue: 3)
        #expect(sums.ports[53]?.drops.value == nil)
        #expect(sums.ports[53]?.queue == 3)
        sums.add(54, drops: 0, queue: 0)
        #expect(sums.ports[54] == nil, "known to be nothing")
    }
}

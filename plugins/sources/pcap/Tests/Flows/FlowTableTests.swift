import Glibc
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FlowTableTests {
    private func key(_ number: Int) -> FlowKey {
        let end = TrafficUnderTest.End(UInt32(number >> 12), UInt16(number & 0xfff))
        return FlowKey.of(.between(end, TrafficUnderTest.End(0xff_ffff, 80), .udp)).key
    }

    private func table(_ bytes: Int) -> FlowTable {
        var generator = SeededGenerator(seed: 3)
        return FlowTable(bytes: bytes, hash: FlowHash(using: &generator))
    }

    @Test(arguments: [0, 1, 1000, 100_000, 1 << 20, 3 << 20, 64 << 20, 1 << 30])
    func aFullTableStaysInItsMemory(_ bytes: Int) {
        let capacity = FlowTable.capacity(of: bytes)
        var places = 16
        while places * 3 <= (capacity - 1) * 4 { places *= 2 }
        let most = capacity * MemoryLayout<FlowEntry>.stride + places * 12
        #expect(capacity == 1 || most <= bytes)
        #expect(capacity >= bytes / 200 || bytes < 10_000)
    }

    @Test(arguments: [60_000_000, 5_000_000, 70_000, 300])
    func aTableForWhichThereIsTooLittleMemoryLeavesHalfOfItToOthers(_ there: Int) {
        let memory = FlowMemory { $0 > there ? nil : malloc($0) }
        var generator = SeededGenerator(seed: 3)
        let table = FlowTable(bytes: 64 << 20, hash: FlowHash(using: &generator), memory: memory)
        let taken = table.capacity * MemoryLayout<FlowEntry>.stride
        #expect(taken <= max(there / 2, MemoryLayout<FlowEntry>.stride))
        #expect(taken >= there / 5 || there < 1000)
        #expect(table.bytes < 64 << 20)
    }

    @Test func aTableFilledToItsCapacityUsesNoMoreThanItsMemory() {
        var table = table(1 << 20)
        for number in 0..<table.capacity {
            let key = key(number)
            _ = table.insert(FlowEntry(key, at: 0), hash: table.hash(of: key), into: .datagram)
        }
        let (isFull, used) = (table.isFull, table.byteCount)
        #expect(isFull)
        #expect(used <= 1 << 20)
        #expect(used > (1 << 20) * 3 / 4)
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func itHoldsWhatADictionaryHolds(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var table = table(200_000)
        var model: [Int: UInt32] = [:]
        for _ in 0..<20_000 {
            let number = Int.random(in: 0..<1500, using: &generator)
            let key = key(number)
            let hash = table.hash(of: key)
            let found = table.slot(of: key, hash: hash)
            #expect(found == model[number])
            if let slot = model.removeValue(forKey: number) {
                table.remove(slot)
            } else if !table.isFull {
                model[number] = table.insert(FlowEntry(key, at: 0), hash: hash, into: .stream)
            }
            let count = table.count
            #expect(count == model.count)
        }
        #expect(Set(model.values).count == model.count)
    }

    @Test func theQueueKeepsTheOrderInWhichFlowsWereSeen() {
        var table = table(100_000)
        var slots: [UInt32] = []
        for number in 0..<4 {
            slots.append(
                table.insert(
                    FlowEntry(key(number), at: Int64(number)), hash: table.hash(of: key(number)), into: .datagram))
        }
        table.requeue(slots[0], to: .datagram)
        table.requeue(slots[2], to: .datagram)
        table.remove(slots[3])
        var order: [UInt32] = []
        while let oldest = table.oldest(.datagram) {
            order.append(oldest)
            table.remove(oldest)
        }
        #expect(order == [slots[1], slots[0], slots[2]])
        let rest = table.leastUseful
        #expect(rest == nil)
    }

    @Test func aClosedFlowIsGivenUpBeforeAnyOther() {
        var table = table(100_000)
        let queues: [FlowQueue.Name] = [.stream, .datagram, .closing]
        var slots: [UInt32] = []
        for (number, queue) in queues.enumerated() {
            slots.append(
                table.insert(FlowEntry(key(number), at: Int64(number)), hash: table.hash(of: key(number)), into: queue))
        }
        var order: [UInt32] = []
        while let slot = table.leastUseful {
            order.append(slot)
            table.remove(slot)
        }
        #expect(order == [slots[2], slots[0], slots[1]])
    }
}

/// Which slot the packets of an uplink are counted in, by the kernel's index of the device.
///
/// Flat and bounded, because it is looked up for every packet.
final class UplinkSlots {
    private let table: UnsafeMutableBufferPointer<(index: UInt32, slot: UInt16)>
    private var count = 0

    init() {
        table = .allocate(capacity: PacketPipeline.interfaceLimit)
        table.initialize(repeating: (0, 0))
    }

    deinit {
        table.deallocate()
    }

    /// Makes these the uplinks.
    func replace(with uplinks: [(index: UInt32, slot: UInt16)]) {
        count = min(uplinks.count, table.count)
        for position in 0..<count { table[position] = uplinks[position] }
    }

    /// The slot of an uplink; nil for any other device.
    func slot(of index: UInt32) -> UInt16? {
        for position in 0..<count where table[position].index == index { return table[position].slot }
        return nil
    }
}

/// Packets and their bytes on the wire.
struct PacketCount: Hashable, Sendable {
    var packets: UInt64 = 0
    var bytes: UInt64 = 0

    /// Counts a packet.
    mutating func add(_ length: UInt32) {
        packets &+= 1
        bytes &+= UInt64(length)
    }
}

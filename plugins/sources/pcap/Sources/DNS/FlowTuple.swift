import SondeWire

/// Between whom a packet went: the addresses, ports and transport of one direction.
///
/// Not on which VLAN: a query and its answer may have different tags, and the same packet is seen twice on a bridge.
struct FlowTuple {
    /// The transports that carry DNS here.
    enum Transport: UInt8 {
        case udp = 17
        case tcp = 6
    }

    var source: IPAddress
    var destination: IPAddress
    var sourcePort: UInt16
    var destinationPort: UInt16
    var transport = Transport.udp

    /// The tuple of the answer to a packet.
    @inline(__always)
    var reversed: FlowTuple {
        FlowTuple(
            source: destination,
            destination: source,
            sourcePort: destinationPort,
            destinationPort: sourcePort,
            transport: transport
        )
    }

    /// A number that cannot be predicted without the seed; `id` distinguishes transactions of one tuple.
    ///
    /// 64 bits represent the whole tuple: among a million of them two collide once in thirty million runs.
    @inline(__always)
    func hash(seed: UInt64, id: UInt16 = 0) -> UInt64 {
        // Both factors are secret: with a known one a sender could make it 0, and the other would have no effect.
        let other = seed.byteSwapped ^ 0xa076_1d64_78bd_642f
        let from = Self.fold(source.high ^ seed, source.low ^ other)
        let to = Self.fold(destination.high ^ other, destination.low ^ seed)
        let ports = UInt64(sourcePort) << 48 | UInt64(destinationPort) << 32 | UInt64(id)
        let kind: UInt64 = transport == .tcp ? 1 : 0
        return Self.fold(from ^ ports, (to ^ kind) &+ other)
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

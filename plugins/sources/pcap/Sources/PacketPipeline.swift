internal import SondeWire

/// Where every packet goes, whether it was captured or read from a file.
///
/// Its state lies behind plain pointers: nothing is allocated and no exclusive access is checked for a packet. Use it
/// from one thread.
final class PacketPipeline {
    /// Counts of one interface.
    struct Counts: Hashable {
        /// Packets that were read.
        var packets: UInt64 = 0
        /// Their bytes on the wire.
        var bytes: UInt64 = 0
        /// Those of them that were captured.
        var capturedBytes: UInt64 = 0
    }

    /// How many interfaces can be told apart; packets of further ones share the last place.
    static let interfaceLimit = 256

    private let counts: UnsafeMutableBufferPointer<Counts>

    init() {
        counts = .allocate(capacity: Self.interfaceLimit)
        counts.initialize(repeating: Counts())
    }

    deinit {
        counts.deallocate()
    }

    /// Takes one packet.
    func process(_ packet: CapturedPacket) {
        let slot = min(Int(packet.interface), Self.interfaceLimit - 1)
        counts[slot].packets &+= 1
        counts[slot].bytes &+= UInt64(packet.wireLength)
        counts[slot].capturedBytes &+= UInt64(packet.bytes.count)
    }

    /// What one interface came to so far.
    subscript(interface: UInt16) -> Counts {
        counts[min(Int(interface), Self.interfaceLimit - 1)]
    }
}

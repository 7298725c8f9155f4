internal import SondeWire

/// One packet, from an interface or from a file.
///
/// A view: its bytes are valid until the next packet is read.
struct CapturedPacket {
    /// What was captured of the packet, the link header first.
    var bytes: WireBytes
    /// How long the packet was on the wire, in bytes.
    var wireLength: UInt32
    /// The link type, a LINKTYPE_ number of www.tcpdump.org/linktypes.html.
    var linkType: UInt32
    /// Which interface of this capture it came from, counted from 0 and clamped to 16 bits.
    var interface: UInt16
    /// When, in nanoseconds since 1970; ``unknownTime`` when the file does not contain it.
    var time: Int64

    /// The time of a packet without one (a Simple Packet Block of pcapng).
    static let unknownTime = Int64.min

    /// A packet with nothing in it, to be filled.
    static var empty: CapturedPacket {
        CapturedPacket(
            bytes: WireBytes(UnsafeRawBufferPointer(start: nil, count: 0)),
            wireLength: 0,
            linkType: 0,
            interface: 0,
            time: unknownTime
        )
    }
}

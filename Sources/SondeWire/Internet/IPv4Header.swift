/// The fixed part of an IPv4 header, as it was received: nothing in it has been checked.
///
/// Source: RFC 791, section 3.1.
public struct IPv4Header: Equatable, Sendable {
    /// How long the header is without options, in bytes.
    public static let minimumLength = 20

    /// The version; 4 when it is IPv4 at all.
    public let version: UInt8
    /// The header's length field, in bytes: 0 to 60.
    public let headerLength: Int
    /// The packet's length field, header and data, in bytes; 0 before the network card has cut it (segmentation offload).
    public let totalLength: Int
    /// Flags and fragment offset.
    public let fragmentation: UInt16
    /// What the packet carries.
    public let transport: IPProtocol
    /// The sender.
    public let source: IPAddress
    /// The receiver.
    public let destination: IPAddress

    /// The header at `offset`, or nil when the bytes end inside of it.
    @inline(__always)
    public init?(_ bytes: WireBytes, at offset: Int = 0) {
        guard bytes.has(Self.minimumLength, at: offset) else { return nil }
        let first = bytes.unchecked8(offset)
        version = first >> 4
        headerLength = Int(first & 15) &* 4
        totalLength = Int(bytes.unchecked16(offset &+ 2))
        fragmentation = bytes.unchecked16(offset &+ 6)
        transport = IPProtocol(rawValue: bytes.unchecked8(offset &+ 9))
        source = IPAddress(ipv4: bytes.unchecked32(offset &+ 12))
        destination = IPAddress(ipv4: bytes.unchecked32(offset &+ 16))
    }

    /// Which part of a fragmented packet this is.
    public var fragment: FragmentState {
        if fragmentation & 0x1fff != 0 { return .later }
        return fragmentation & 0x2000 != 0 ? .first : .none
    }
}

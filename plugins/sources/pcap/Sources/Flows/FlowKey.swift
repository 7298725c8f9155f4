internal import SondeWire

/// Which flow a packet belongs to: both ends without order, VLAN, protocol, in five words.
///
/// Ports are those of the outermost IP packet. What has none has a special key, with ports of 0: a fragment that is
/// not the first one, a protocol without ports, a header that the capture cut off.
struct FlowKey: Equatable, Sendable {
    /// What the ports of a key mean.
    enum Kind: UInt8, Sendable {
        /// There are ports.
        case ported
        /// There are none, or they are not known.
        case portless
        /// A fragment that is not the first one.
        case fragment
    }

    /// Distinguishes a frame without a VLAN tag from one of VLAN 0.
    static let noVLAN = UInt16.max
    private static let vlanBits: UInt64 = 0xffff << 16
    private static let ipv6Bit: UInt64 = 0x80

    /// The address of the low end.
    let low: IPAddress
    /// The address of the high end.
    let high: IPAddress
    /// From the top: port of the low end, port of the high end, VLAN, protocol, family and kind.
    let rest: UInt64

    /// The key of a frame that has addresses, and the end that sent it.
    @inline(__always)
    static func of(_ frame: DecodedFrame) -> (key: FlowKey, sender: FlowEnd) {
        var rest = UInt64(frame.vlanID ?? noVLAN) << 16 | UInt64(frame.transport?.rawValue ?? 0) << 8
        if frame.network == .ipv6 { rest |= ipv6Bit }
        var sourcePort: UInt64 = 0
        var destinationPort: UInt64 = 0
        if frame.hasPorts, frame.fragment != .later {
            sourcePort = UInt64(frame.sourcePort)
            destinationPort = UInt64(frame.destinationPort)
        } else {
            rest |= UInt64(frame.fragment == .later ? Kind.fragment.rawValue : Kind.portless.rawValue)
        }
        let (source, destination) = (frame.source, frame.destination)
        if isOrdered(source, sourcePort, destination, destinationPort) {
            rest |= sourcePort << 48 | destinationPort << 32
            return (FlowKey(low: source, high: destination, rest: rest), .low)
        }
        rest |= destinationPort << 48 | sourcePort << 32
        return (FlowKey(low: destination, high: source, rest: rest), .high)
    }

    /// Whether the first end is the low one; each word is looked at once.
    @inline(__always)
    private static func isOrdered(_ a: IPAddress, _ aPort: UInt64, _ b: IPAddress, _ bPort: UInt64) -> Bool {
        if a.high != b.high { return a.high < b.high }
        return a.low != b.low ? a.low < b.low : aPort <= bPort
    }

    /// What the ports mean.
    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: rest & 3)) ?? .portless }

    /// The number of the transport.
    var transport: IPProtocol { IPProtocol(rawValue: UInt8(truncatingIfNeeded: rest >> 8)) }

    /// Whether the packets are IPv6.
    var isIPv6: Bool { rest & Self.ipv6Bit != 0 }

    /// The outermost VLAN, or nil without a tag.
    var vlan: UInt16? {
        let number = UInt16(truncatingIfNeeded: rest >> 16)
        return number == Self.noVLAN ? nil : number
    }

    /// The address of an end.
    func address(_ end: FlowEnd) -> IPAddress { end == .low ? low : high }

    /// The port of an end; 0 without ports.
    func port(_ end: FlowEnd) -> UInt16 { UInt16(truncatingIfNeeded: rest >> (end == .low ? 48 : 32)) }

    /// The key without its VLAN.
    var conversation: FlowKey { FlowKey(low: low, high: high, rest: rest | Self.vlanBits) }
}

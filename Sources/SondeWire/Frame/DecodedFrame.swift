/// What the headers of one frame contain, from the link layer to the transport's payload.
///
/// One value is filled again and again: nothing in it is allocated. The outermost IP header counts; a tunnel is what carries
/// it. Lengths and offsets are in bytes.
public struct DecodedFrame: Equatable, Sendable {
    /// What the link layer carries.
    public enum Network: UInt8, Sendable {
        /// The link header could not be read, or its link type is unknown.
        case none
        case ipv4
        case ipv6
        case arp
        /// Something else.
        case other
    }

    /// The direction of the frame, as far as the link header has it.
    public enum Direction: UInt8, Sendable {
        /// Not in the link header.
        case unknown
        /// To the host that captured.
        case incoming
        /// To everybody on the link.
        case broadcast
        /// To a group on the link.
        case multicast
        /// Between others.
        case foreign
        /// From the host that captured.
        case outgoing
    }

    // In an order in which what is the same for most frames stands together.

    /// Which header before the transport is broken.
    public var malformation = Malformation.none
    /// What is wrong with the transport header.
    public var transportFault = TransportFault.none
    /// Which part of a fragmented packet this is.
    public var fragment = FragmentState.none
    /// Which way the frame went.
    public var direction = Direction.unknown
    /// Whether the capture cut the frame inside of a header, so that what follows from there is unknown.
    public var isTruncated = false
    /// Whether `source` and `destination` are known: there is a whole, sound IP header.
    public var hasAddresses = false
    /// Whether the transport's fixed header was read: TCP, UDP, ICMP, ICMPv6 or SCTP.
    public var hasTransportHeader = false
    /// Whether `sourcePort` and `destinationPort` are known: TCP, UDP or SCTP, also when the header was cut after them.
    public var hasPorts = false
    /// The interface's index in Linux, or 0 when the link header lacks it.
    public var interfaceIndex: UInt32 = 0
    /// How many MPLS labels the frame has.
    public var mplsCount: UInt8 = 0
    /// How many tags it has that are no VLAN's.
    var otherTagCount: UInt8 = 0
    /// The type of an ICMP or ICMPv6 message; means something for these with `hasTransportHeader`.
    public var icmpType: UInt8 = 0
    /// The code of an ICMP or ICMPv6 message.
    public var icmpCode: UInt8 = 0
    /// What the link layer carries; also set when that could not be decoded.
    public var network = Network.none
    /// How many VLAN tags the frame has.
    public var vlanCount: UInt8 = 0
    /// The number of the transport, or nil without a sound IP header.
    ///
    /// Of an extension header that cannot be walked, and of one that was cut off, the number of that header.
    public var transport: IPProtocol?
    /// The outermost VLAN, 0 to 4095 (0: a priority only), or nil without a tag.
    public var vlanID: UInt16?
    /// The sender; means something with `hasAddresses`.
    public var source = IPAddress(high: 0, low: 0)
    /// The receiver; means something with `hasAddresses`.
    public var destination = IPAddress(high: 0, low: 0)
    /// The sender's port; means something with `hasPorts`.
    public var sourcePort: UInt16 = 0
    /// The receiver's port; means something with `hasPorts`.
    public var destinationPort: UInt16 = 0
    /// TCP's flags; these and the next three mean something for TCP with `hasTransportHeader`.
    public var tcpFlags = TCPFlags(rawValue: 0)
    /// How long the TCP header is with its options, 20 to 60.
    public var tcpHeaderLength: UInt8 = 0
    /// TCP's window, not scaled.
    public var tcpWindow: UInt16 = 0
    /// TCP's sequence number.
    public var tcpSequence: UInt32 = 0
    /// TCP's acknowledgement number.
    public var tcpAcknowledgement: UInt32 = 0
    /// Where the payload begins: after the last header that was read.
    public var payloadOffset: UInt32 = 0
    /// How much of the payload was captured.
    public var payloadCaptured: UInt32 = 0
    /// The payload's length on the wire, according to the headers and bounded by the frame.
    public var payloadLength: UInt32 = 0

    /// A frame without known fields.
    @inlinable
    public init() {}

    /// The captured part of the payload, out of the bytes that were decoded.
    @inlinable
    public func payload(of bytes: WireBytes) -> WireBytes {
        bytes.dropping(Int(payloadOffset)).prefix(Int(payloadCaptured))
    }
}

/// What is wrong with a transport header that is there.
public enum TransportFault: UInt8, Sendable, CaseIterable {
    /// Nothing is wrong, or there is no such header.
    case none
    /// The packet is shorter on the wire than the header.
    case tooShort
    /// The TCP header's length is shorter than one can be, or longer than the packet.
    case headerLength
    /// The UDP datagram's length is shorter than its header, or longer than the packet.
    case datagramLength
}

/// What is wrong with a transport header that is there.
public enum TransportFault: UInt8, Sendable, CaseIterable {
    /// Nothing is wrong, or there is no such header.
    case none
    /// The packet is shorter on the wire than the header.
    case tooShort
    /// The TCP header says to be shorter than one can be, or longer than the packet.
    case headerLength
    /// The UDP datagram says to be shorter than its header, or longer than the packet.
    case datagramLength
}

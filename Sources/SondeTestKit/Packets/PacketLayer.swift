/// One layer of a packet.
public protocol PacketLayer: Sendable {
    /// How the layer outside announces this one.
    var number: LayerNumber { get }

    /// The layer with `payload` inside, which `next` announces.
    func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8]
}

/// A layer with the addresses that a transport's checksum covers.
public protocol AddressedLayer: PacketLayer {
    /// The addresses.
    var pseudoHeader: PseudoHeader { get }
}

/// The numbers by which the carriers of a layer announce it.
public struct LayerNumber: Sendable, Equatable {
    /// In Ethernet and links with the same numbers.
    public var etherType: UInt16
    /// In IP.
    public var ipProtocol: UInt8
    /// In PPP.
    public var pppProtocol: UInt16

    /// The numbers of a layer; those left out are of nothing that is known.
    public init(etherType: UInt16 = 0x88b5, ipProtocol: UInt8 = 253, pppProtocol: UInt16 = 0x00fd) {
        self.etherType = etherType
        self.ipProtocol = ipProtocol
        self.pppProtocol = pppProtocol
    }
}

/// The addresses that the checksum of a transport covers.
public struct PseudoHeader: Sendable, Equatable {
    /// Sender and receiver, 8 or 32 bytes.
    public var addresses: [UInt8]

    /// The checksum of a message of a protocol between these addresses.
    public func checksum(of message: [UInt8], ipProtocol: UInt8) -> UInt16 {
        let length = [UInt8](bigEndian: UInt32(message.count))
        return InternetChecksum.of(addresses + length + [0, 0, 0, ipProtocol] + message)
    }
}

/// The checksum of IP and its transports (RFC 1071).
public enum InternetChecksum {
    /// The checksum of bytes whose checksum field is zero.
    public static func of(_ bytes: [UInt8]) -> UInt16 {
        var sum: UInt32 = 0
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let low = index + 1 < bytes.count ? bytes[index + 1] : 0
            sum += UInt32(bytes[index]) << 8 | UInt32(low)
            sum = sum & 0xffff + sum >> 16
        }
        return ~UInt16(truncatingIfNeeded: sum)
    }
}

extension [UInt8] {
    /// The bytes of a number in network order.
    public init(bigEndian number: some FixedWidthInteger) {
        self = Swift.withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Appends a number in network order.
    mutating func append(bigEndian number: some FixedWidthInteger) {
        append(contentsOf: [UInt8](bigEndian: number))
    }

    /// Writes a number over the two bytes at `offset`, in network order.
    mutating func put(_ number: UInt16, at offset: Int) {
        self[offset] = UInt8(number >> 8)
        self[offset + 1] = UInt8(number & 0xff)
    }
}

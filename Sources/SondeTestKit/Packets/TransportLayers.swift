/// A TCP header.
public struct TCPLayer: PacketLayer {
    /// The sender's port.
    public var sourcePort: UInt16
    /// The receiver's port.
    public var destinationPort: UInt16
    /// The number of the first byte of data.
    public var sequence: UInt32 = 1000
    /// The next byte that the sender waits for.
    public var acknowledgement: UInt32 = 2000
    /// The flags; by default only ACK.
    public var flags: UInt8 = 0x10
    /// How many bytes the sender is ready to take.
    public var window: UInt16 = 8192
    /// The options; a multiple of four bytes.
    public var options: [UInt8] = []
    /// The header's length in units of four bytes, when it is not to be the right one.
    public var headerWords: UInt8?
    /// The checksum, when it is not to be the right one.
    public var checksum: UInt16?

    /// A segment between two ports.
    public init(_ sourcePort: UInt16 = 40000, _ destinationPort: UInt16 = 80, flags: UInt8 = 0x10) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.flags = flags
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: 6) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        let words = headerWords ?? UInt8(5 + options.count / 4)
        var segment = [UInt8](bigEndian: sourcePort) + [UInt8](bigEndian: destinationPort)
        segment += [UInt8](bigEndian: sequence) + [UInt8](bigEndian: acknowledgement)
        segment += [words << 4, flags] + [UInt8](bigEndian: window) + [0, 0, 0, 0] + options + payload
        segment.put(checksum ?? pseudoHeader?.checksum(of: segment, ipProtocol: 6) ?? 0, at: 16)
        return segment
    }
}

/// A UDP header.
public struct UDPLayer: PacketLayer {
    /// The sender's port.
    public var sourcePort: UInt16
    /// The receiver's port.
    public var destinationPort: UInt16
    /// The datagram's length, when it is not to be the right one.
    public var length: UInt16?
    /// The checksum, when it is not to be the right one.
    public var checksum: UInt16?

    /// A datagram between two ports.
    public init(_ sourcePort: UInt16 = 40000, _ destinationPort: UInt16 = 9999, length: UInt16? = nil) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
        self.length = length
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: 17) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        var datagram = [UInt8](bigEndian: sourcePort) + [UInt8](bigEndian: destinationPort)
        datagram.append(bigEndian: length ?? UInt16(truncatingIfNeeded: 8 + payload.count))
        datagram += [0, 0] + payload
        let right = pseudoHeader?.checksum(of: datagram, ipProtocol: 17) ?? 0
        // 0 would mean that there is no checksum.
        datagram.put(checksum ?? (right == 0 ? 0xffff : right), at: 6)
        return datagram
    }
}

/// An ICMP or ICMPv6 header of eight bytes.
public struct ICMPLayer: PacketLayer {
    /// Which of both.
    public enum Family: Sendable {
        case ipv4
        case ipv6
    }

    /// Which of both.
    public var family: Family
    /// The type.
    public var type: UInt8
    /// The code.
    public var code: UInt8 = 0

    /// A message; by default an echo request.
    public init(_ family: Family, type: UInt8? = nil, code: UInt8 = 0) {
        self.family = family
        self.type = type ?? (family == .ipv4 ? 8 : 128)
        self.code = code
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: family == .ipv4 ? 1 : 58) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        var message: [UInt8] = [type, code, 0, 0, 0, 1, 0, 1] + payload
        switch family {
        case .ipv4: message.put(InternetChecksum.of(message), at: 2)
        case .ipv6: message.put(pseudoHeader?.checksum(of: message, ipProtocol: 58) ?? 0, at: 2)
        }
        return message
    }
}

/// The common header of SCTP, with a checksum of zero.
public struct SCTPLayer: PacketLayer {
    /// The sender's port.
    public var sourcePort: UInt16
    /// The receiver's port.
    public var destinationPort: UInt16

    /// A packet between two ports.
    public init(_ sourcePort: UInt16 = 40000, _ destinationPort: UInt16 = 2905) {
        self.sourcePort = sourcePort
        self.destinationPort = destinationPort
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: 132) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [UInt8](bigEndian: sourcePort) + [UInt8](bigEndian: destinationPort) + [0, 0, 0, 9, 0, 0, 0, 0] + payload
    }
}

/// The place of a fragment in a packet.
public struct FragmentPosition: Sendable, Equatable {
    /// Where it begins, in bytes; a multiple of 8.
    public var offset: Int
    /// Whether it is not the last.
    public var moreFollow: Bool

    /// A fragment at `offset`.
    public init(offset: Int, moreFollow: Bool) {
        self.offset = offset
        self.moreFollow = moreFollow
    }
}

/// An IPv4 header.
public struct IPv4Layer: AddressedLayer {
    /// The sender, four bytes.
    public var source: [UInt8]
    /// The receiver, four bytes.
    public var destination: [UInt8]
    /// The options; a multiple of four bytes.
    public var options: [UInt8] = []
    /// Which fragment it is, if it is one.
    public var fragment: FragmentPosition?
    /// The version.
    public var version: UInt8 = 4
    /// The header's length in units of four bytes, when it is not to be the right one.
    public var headerWords: UInt8?
    /// The packet's length, when it is not to be the right one.
    public var totalLength: UInt16?
    /// What it carries, when it is not to be announced rightly.
    public var ipProtocol: UInt8?
    /// The header's checksum, when it is not to be the right one.
    public var checksum: UInt16?

    /// A header between two addresses.
    public init(_ source: [UInt8] = [192, 0, 2, 1], _ destination: [UInt8] = [198, 51, 100, 2]) {
        self.source = source
        self.destination = destination
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: 0x0800, ipProtocol: 4, pppProtocol: 0x0021) }

    /// The addresses that the checksum of a transport covers.
    public var pseudoHeader: PseudoHeader { PseudoHeader(addresses: source + destination) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        let length = 20 + options.count
        let words = headerWords ?? UInt8(length / 4)
        var header: [UInt8] = [version << 4 | words & 15, 0]
        header.append(bigEndian: totalLength ?? UInt16(truncatingIfNeeded: length + payload.count))
        header += [0x12, 0x34]
        header.append(bigEndian: fragment.map { UInt16($0.offset / 8) | ($0.moreFollow ? 0x2000 : 0) } ?? 0x4000)
        header += [64, ipProtocol ?? next.ipProtocol, 0, 0] + source + destination + options
        header.put(checksum ?? InternetChecksum.of(header), at: 10)
        return header + payload
    }
}

/// An IPv6 header.
public struct IPv6Layer: AddressedLayer {
    /// The sender, 16 bytes.
    public var source: [UInt8]
    /// The receiver, 16 bytes.
    public var destination: [UInt8]
    /// The version.
    public var version: UInt8 = 6
    /// The length of what follows, when it is not to be the right one.
    public var payloadLength: UInt16?
    /// What follows, when it is not to be announced rightly.
    public var nextHeader: UInt8?

    /// The documentation address `2001:db8::` with its last byte.
    public static func address(_ last: UInt8) -> [UInt8] {
        [0x20, 0x01, 0x0d, 0xb8] + [UInt8](repeating: 0, count: 11) + [last]
    }

    /// A header between two addresses.
    public init(_ source: [UInt8] = address(1), _ destination: [UInt8] = address(2)) {
        self.source = source
        self.destination = destination
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: 0x86dd, ipProtocol: 41, pppProtocol: 0x0057) }

    /// The addresses that the checksum of a transport covers.
    public var pseudoHeader: PseudoHeader { PseudoHeader(addresses: source + destination) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [version << 4, 0, 0, 0]
            + [UInt8](bigEndian: payloadLength ?? UInt16(truncatingIfNeeded: payload.count))
            + [nextHeader ?? next.ipProtocol, 64] + source + destination + payload
    }
}

/// An ARP packet for IPv4 over Ethernet.
public struct ARPLayer: PacketLayer {
    /// 1 asks, 2 answers.
    public var operation: UInt16 = 1
    /// The length of a hardware address that it names.
    public var hardwareLength: UInt8 = 6

    /// A request.
    public init() {}

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: 0x0806) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [0, 1, 8, 0, hardwareLength, 4] + [UInt8](bigEndian: operation)
            + [2, 0, 0, 0, 0, 1, 192, 0, 2, 1, 0, 0, 0, 0, 0, 0, 192, 0, 2, 2] + payload
    }
}

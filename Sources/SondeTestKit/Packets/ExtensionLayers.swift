/// An IPv6 extension header that holds options or a route: hop-by-hop (0), routing (43) or destination options (60).
public struct IPv6ExtensionLayer: PacketLayer {
    /// Which header; any number can be given.
    public var kind: UInt8
    /// What it holds after its first two bytes: 6 bytes, or 8 more at a time.
    public var content: [UInt8]
    /// The length in units of eight bytes after the first eight, when it is not to be the right one.
    public var length: UInt8?
    /// What follows, when it is not to be announced rightly.
    public var nextHeader: UInt8?

    /// A header that holds padding.
    public init(_ kind: UInt8, content: [UInt8] = [1, 4, 0, 0, 0, 0], length: UInt8? = nil) {
        self.kind = kind
        self.content = content
        self.length = length
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: kind) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [nextHeader ?? next.ipProtocol, length ?? UInt8((content.count + 2) / 8 - 1)] + content + payload
    }
}

/// An IPv6 fragment header.
public struct IPv6FragmentLayer: PacketLayer {
    /// The place of the fragment.
    public var fragment: FragmentPosition

    /// The header of a fragment.
    public init(fragment: FragmentPosition) {
        self.fragment = fragment
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: 44) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        let position = UInt16(fragment.offset & 0xfff8) | (fragment.moreFollow ? 1 : 0)
        return [next.ipProtocol, 0] + [UInt8](bigEndian: position) + [0, 0, 0x12, 0x34] + payload
    }
}

/// An authentication header with a check value of twelve bytes.
public struct AuthenticationLayer: PacketLayer {
    /// A header.
    public init() {}

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(ipProtocol: 51) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        // 24 bytes: the length counts four at a time and leaves out two.
        [next.ipProtocol, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] + [UInt8](repeating: 0xa5, count: 12) + payload
    }
}

/// An Ethernet header.
public struct EthernetLayer: PacketLayer {
    /// The receiver, six bytes.
    public var destination: [UInt8] = [2, 0, 0, 0, 0, 2]
    /// The sender, six bytes.
    public var source: [UInt8] = [2, 0, 0, 0, 0, 1]
    /// The type or length, when it is not to be the right type.
    public var typeOrLength: UInt16?
    /// Bytes after the frame, such as padding.
    public var trailer: [UInt8] = []

    /// An Ethernet II header, or another with `typeOrLength`.
    public init(typeOrLength: UInt16? = nil, trailer: [UInt8] = []) {
        self.typeOrLength = typeOrLength
        self.trailer = trailer
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        destination + source + [UInt8](bigEndian: typeOrLength ?? next.etherType) + payload + trailer
    }
}

/// An 802.3 header: the length of what follows in place of a type.
public struct LengthFramedLayer: PacketLayer {
    /// The length, when it is not to be the right one.
    public var length: UInt16?
    /// Bytes after the frame, such as padding.
    public var trailer: [UInt8] = []

    /// An 802.3 header.
    public init(length: UInt16? = nil, trailer: [UInt8] = []) {
        self.length = length
        self.trailer = trailer
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        let header = EthernetLayer(typeOrLength: length ?? UInt16(payload.count), trailer: trailer)
        return header.bytes(around: payload, next: next, pseudoHeader: nil)
    }
}

/// An 802.2 header with SNAP.
public struct SNAPLayer: PacketLayer {
    /// The organization that numbers the type, three bytes.
    public var organization: [UInt8] = [0, 0, 0]

    /// A header whose type is numbered as in Ethernet, or by another organization.
    public init(organization: [UInt8] = [0, 0, 0]) {
        self.organization = organization
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [0xaa, 0xaa, 0x03] + organization + [UInt8](bigEndian: next.etherType) + payload
    }
}

/// A VLAN tag.
public struct VLANLayer: PacketLayer {
    /// The VLAN and the bits above it.
    public var control: UInt16
    /// What announces the tag.
    public var tagType: UInt16
    /// The type or length, when it is not to be the right type.
    public var typeOrLength: UInt16?

    /// A tag of VLAN `identifier`.
    public init(_ identifier: UInt16, tagType: UInt16 = 0x8100, typeOrLength: UInt16? = nil) {
        control = identifier
        self.tagType = tagType
        self.typeOrLength = typeOrLength
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: tagType) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        [UInt8](bigEndian: control) + [UInt8](bigEndian: typeOrLength ?? next.etherType) + payload
    }
}

/// A stack of MPLS labels.
public struct MPLSLayer: PacketLayer {
    /// The labels, the outermost first.
    public var labels: [UInt32]

    /// A stack of these labels.
    public init(_ labels: [UInt32]) {
        self.labels = labels
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber(etherType: 0x8847, pppProtocol: 0x0281) }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, label) in labels.enumerated() {
            bytes.append(bigEndian: label << 12 | (index == labels.count - 1 ? 0x100 : 0) | 64)
        }
        return bytes + payload
    }
}

/// The header of a Linux cooked capture.
public struct LinuxCookedLayer: PacketLayer {
    /// Which header.
    public enum Version: Sendable {
        case one
        case two
    }

    /// Which header.
    public var version: Version
    /// Where the frame came from or went to: 0 to us, 1 broadcast, 2 multicast, 3 to another, 4 from us.
    public var packetType: UInt8 = 0
    /// The kind of device; 1 is Ethernet.
    public var deviceType: UInt16 = 1
    /// The interface, in version 2.
    public var interfaceIndex: UInt32 = 3
    /// The protocol, when it is not to be the right Ethernet type.
    public var protocolNumber: UInt16?

    /// A header of an Ethernet device.
    public init(
        _ version: Version, packetType: UInt8 = 0, deviceType: UInt16 = 1, protocolNumber: UInt16? = nil
    ) {
        self.version = version
        self.packetType = packetType
        self.deviceType = deviceType
        self.protocolNumber = protocolNumber
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        let address: [UInt8] = [2, 0, 0, 0, 0, 1, 0, 0]
        let content = [UInt8](bigEndian: protocolNumber ?? next.etherType)
        let device = [UInt8](bigEndian: deviceType)
        switch version {
        case .one: return [0, packetType] + device + [0, 6] + address + content + payload
        case .two:
            return content + [0, 0] + [UInt8](bigEndian: interfaceIndex) + device + [packetType, 6] + address + payload
        }
    }
}

/// The header of a BSD loopback interface.
public struct LoopbackLayer: PacketLayer {
    /// The address family; nil takes Linux's number of what is carried.
    public var family: UInt32?
    /// Whether the number's lowest byte comes first.
    public var order: EndianWriter.Order

    /// A header with the family of what is carried, or another.
    public init(_ order: EndianWriter.Order, family: UInt32? = nil) {
        self.order = order
        self.family = family
    }

    /// How the layer outside announces this one.
    public var number: LayerNumber { LayerNumber() }

    /// The layer with `payload` inside, which `next` announces.
    public func bytes(around payload: [UInt8], next: LayerNumber, pseudoHeader: PseudoHeader?) -> [UInt8] {
        order.bytes(family ?? (next.etherType == 0x86dd ? 10 : 2)) + payload
    }
}

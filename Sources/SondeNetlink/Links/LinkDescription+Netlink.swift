internal import SondeDomain

extension LinkDescription {
    /// Attributes of a link (IFLA_…, linux/if_link.h).
    private enum Attribute: UInt16 {
        case address = 1
        case broadcast = 2
        case name = 3
        case mtu = 4
        case lower = 5
        case master = 10
        case transmitQueueLength = 13
        case operationalState = 16
        case information = 18
        case alias = 20
        case group = 27
        case carrier = 33
        case carrierChanges = 35
        case peerNamespace = 37
        case carrierUps = 47
        case carrierDowns = 48
    }

    // linux/if_arp.h, ARPHRD_LOOPBACK; linux/if_link.h, IFLA_INFO_KIND
    private static let loopback: UInt16 = 772
    private static let kind: UInt16 = 1

    /// The device in an RTM_NEWLINK message: `struct ifinfomsg`, then attributes; nil when it is too short or has no
    /// name.
    public init?(_ message: NetlinkMessage) {
        guard
            let hardware = message.number(at: 2, UInt16.self),
            let index = message.number(at: 4, Int32.self),
            let flags = message.number(at: 8, UInt32.self)
        else { return nil }
        self.init(NetworkLink(index: index, name: "", isLoopback: hardware == Self.loopback, isUp: flags & 1 != 0))
        self.flags = flags
        hardwareType = hardware
        for attribute in message.attributes(after: 16) { take(attribute) }
        guard !link.name.isEmpty else { return nil }
    }

    private mutating func take(_ attribute: NetlinkAttribute) {
        switch Attribute(rawValue: attribute.type) {
        case .address: address = Self.hardwareAddress(attribute.value)
        case .broadcast: broadcast = Self.hardwareAddress(attribute.value)
        case .name: link.name = attribute.text
        case .mtu: mtu = attribute.number(UInt32.self)
        case .lower: link.lower = attribute.number(Int32.self)
        case .master: link.master = attribute.number(Int32.self)
        case .transmitQueueLength: transmitQueueLength = attribute.number(UInt32.self)
        case .operationalState: operationalState = attribute.number(UInt8.self).flatMap(OperationalState.init)
        case .information: link.kind = attribute.nested.first { $0.type == Self.kind }?.text
        case .alias: alias = attribute.text
        case .group: group = attribute.number(UInt32.self)
        case .carrier: hasCarrier = attribute.number(UInt8.self).map { $0 != 0 }
        case .carrierChanges: carrierChanges = attribute.number(UInt32.self)
        case .peerNamespace:
            link.hasForeignPeer = true
            peerNamespace = attribute.number(Int32.self)
        case .carrierUps: carrierUps = attribute.number(UInt32.self)
        case .carrierDowns: carrierDowns = attribute.number(UInt32.self)
        case nil: break
        }
    }

    /// InfiniBand has the longest, 20 bytes; the kernel's limit is 32 (MAX_ADDR_LEN).
    private static func hardwareAddress(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: ":")
    }
}

internal import SondeDomain
internal import SondeNetlink

/// How to identify the captured packets that an interface received, and which length the kernel counts for them.
struct ReceivedView: Equatable {
    /// What distinguishes a received packet from a sent one.
    enum Direction: Equatable {
        /// Every captured packet was received.
        case all
        /// The cooked header contains it (LINKTYPE_LINUX_SLL2).
        case packetType
        /// Sent ones come from the interface's own address.
        case source(UInt64)
    }

    /// What distinguishes a received packet from a sent one.
    var direction: Direction
    /// How many bytes more the capture has of a packet than the kernel counts.
    var surplus: Int64

    private static let ethernetHeader: Int64 = 14
    private static let cookedHeader: Int64 = 20
    // ARPHRD_ETHER and ARPHRD_LOOPBACK of linux/if_arp.h.
    private static let ethernetTypes: Set<UInt16> = [1, 772]
    /// Devices that count what is left when the Ethernet header was taken off: net/bridge/br_input.c,
    /// net/8021q/vlan_core.c, drivers/net/team, drivers/net/vxlan, drivers/net/geneve.c, net/ipv4/ip_tunnel.c.
    private static let countedWithoutHeader: Set = ["bridge", "vlan", "team", "vxlan", "geneve", "gretap", "ip6gretap"]
    /// Members of these send packets of others under the others' addresses.
    private static let forwarding: Set = ["bridge", "openvswitch"]

    /// The view of an interface; nil: received packets cannot be identified.
    init?(_ link: LinkDescription, among links: [LinkDescription], isCooked: Bool) {
        let isEthernet = Self.ethernetTypes.contains(link.hardwareType)
        // drivers/net/loopback.c counts after eth_type_trans, too.
        let isBare = link.link.isLoopback || link.link.kind.map(Self.countedWithoutHeader.contains) ?? false
        let header = isEthernet ? Self.ethernetHeader : 0
        if isCooked {
            // The cooked header is in place of the device's own.
            self.init(direction: .packetType, surplus: Self.cookedHeader - (isBare ? 0 : header))
        } else if link.link.isLoopback {
            // What is sent is what is received; libpcap hands on only the latter.
            self.init(direction: .all, surplus: header)
        } else {
            guard isEthernet, let address = Self.number(link.address), !Self.sendsForOthers(link, links) else {
                return nil
            }
            self.init(direction: .source(address), surplus: isBare ? header : 0)
        }
    }

    init(direction: Direction, surplus: Int64) {
        self.direction = direction
        self.surplus = surplus
    }

    private static func sendsForOthers(_ link: LinkDescription, _ links: [LinkDescription]) -> Bool {
        links.contains { other in
            if other.link.index == link.link.master { return forwarding.contains(other.link.kind ?? "") }
            return other.link.lower == link.link.index && ["macvlan", "macvtap"].contains(other.link.kind ?? "")
        }
    }

    /// The six bytes of `02:00:00:00:00:01`.
    private static func number(_ address: String) -> UInt64? {
        let parts = address.split(separator: ":").map { UInt64($0, radix: 16) }
        guard parts.count == 6 else { return nil }
        return parts.reduce(0) { sum, part in sum.flatMap { sum in part.map { sum << 8 | $0 } } }
    }
}

extension ReceivedView.Direction {
    // PACKET_OUTGOING of linux/if_packet.h.
    private static let outgoing: UInt8 = 4

    /// Whether a packet with this beginning was received.
    @inline(__always)
    func isReceived(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .all: true
        // tcpdump.org, LINKTYPE_LINUX_SLL2: the packet type is the byte at offset 10.
        case .packetType: bytes.count > 10 && bytes[10] != Self.outgoing
        case .source(let address):
            bytes.count < 14
                || bytes.loadUnaligned(fromByteOffset: 6, as: UInt64.self).bigEndian >> 16 != address
        }
    }
}

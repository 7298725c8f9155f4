/// Which service a flow belongs to, from a short list of well-known ones.
///
/// Source: IANA Service Name and Transport Protocol Port Number Registry, and customary ports.
struct FlowService: Hashable, Sendable {
    /// The place in the list: 0 without ports, 1 for every other port.
    let rawValue: UInt8

    /// Packets without ports.
    static let portless = FlowService(rawValue: 0)
    /// Ports that are not in the list.
    static let other = FlowService(rawValue: 1)
    /// How many places there are.
    static var count: Int { known.count + 2 }

    private static let known: [(port: UInt16, name: String)] = [
        (20, "ftp_data"), (21, "ftp"), (22, "ssh"), (25, "smtp"), (53, "dns"), (67, "dhcp"), (80, "http"),
        (110, "pop3"), (123, "ntp"), (143, "imap"), (161, "snmp"), (179, "bgp"), (389, "ldap"), (443, "https"),
        (445, "smb"), (465, "submissions"), (514, "syslog"), (587, "submission"), (636, "ldaps"), (853, "dns_tls"),
        (993, "imaps"), (995, "pop3s"), (1194, "openvpn"), (1433, "mssql"), (2049, "nfs"), (3306, "mysql"),
        (3389, "rdp"), (4789, "vxlan"), (5060, "sip"), (5353, "mdns"), (5432, "postgresql"), (6379, "redis"),
        (8080, "http_alt"), (9092, "kafka"), (27017, "mongodb"), (51820, "wireguard"),
    ]

    /// A bit per port: nearly every port that is looked up is none of these.
    private static let knownBits: [UInt64] = known.reduce(into: Array(repeating: 0, count: 1024)) { bits, service in
        bits[Int(service.port >> 6)] |= 1 << UInt64(service.port & 63)
    }

    private init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The service of a port.
    init(port: UInt16) {
        guard Self.isKnown(port), let place = Self.known.firstIndex(where: { $0.port == port }) else {
            self = .other
            return
        }
        rawValue = UInt8(truncatingIfNeeded: place &+ 2)
    }

    /// The service at a place of the list; `other` after its end.
    init(place: Int) {
        rawValue = place >= 0 && place < Self.count ? UInt8(truncatingIfNeeded: place) : 1
    }

    /// The value of the attribute `sonde.flow.app`; nil without ports.
    var name: String? {
        switch rawValue {
        case 0: nil
        case 1: "other"
        default: Self.known[Int(rawValue) &- 2].name
        }
    }

    /// Whether the list has a port.
    static func isKnown(_ port: UInt16) -> Bool {
        knownBits[Int(port >> 6)] >> UInt64(port & 63) & 1 == 1
    }

    /// The end that offers the service: the known port, or else the lower one, or else the receiver.
    static func server(of key: FlowKey, sender: FlowEnd) -> FlowEnd {
        let (low, high) = (key.port(.low), key.port(.high))
        if low == high { return sender.other }
        let (isLowKnown, isHighKnown) = (isKnown(low), isKnown(high))
        if isLowKnown != isHighKnown { return isLowKnown ? .low : .high }
        return low < high ? .low : .high
    }
}

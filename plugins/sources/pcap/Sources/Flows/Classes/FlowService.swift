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
    static let count = known.count + 2

    fileprivate static let known: [(port: UInt16, name: String)] = [
        (20, "ftp_data"), (21, "ftp"), (22, "ssh"), (25, "smtp"), (53, "dns"), (67, "dhcp"), (80, "http"),
        (110, "pop3"), (123, "ntp"), (143, "imap"), (161, "snmp"), (179, "bgp"), (389, "ldap"), (443, "https"),
        (445, "smb"), (465, "submissions"), (514, "syslog"), (587, "submission"), (636, "ldaps"), (853, "dns_tls"),
        (993, "imaps"), (995, "pop3s"), (1194, "openvpn"), (1433, "mssql"), (2049, "nfs"), (3306, "mysql"),
        (3389, "rdp"), (4789, "vxlan"), (5060, "sip"), (5353, "mdns"), (5432, "postgresql"), (6379, "redis"),
        (8080, "http_alt"), (9092, "kafka"), (27017, "mongodb"), (51820, "wireguard"),
    ]

    fileprivate init(rawValue: UInt8) {
        self.rawValue = rawValue
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

    /// The end that offers the service: the known port, or else the lower one, or else the receiver.
    @inline(__always)
    static func server(
        of key: FlowKey, sender: FlowEnd, in services: borrowing FlowServices = FlowServices()
    ) -> FlowEnd {
        let (low, high) = (key.port(.low), key.port(.high))
        if low == high { return sender.other }
        let (isLowKnown, isHighKnown) = (services.service(of: low) != .other, services.service(of: high) != .other)
        if isLowKnown != isHighKnown { return isLowKnown ? .low : .high }
        return low < high ? .low : .high
    }
}

/// The services of all ports, in 5 KiB: two look-ups for a port.
struct FlowServices: ~Copyable {
    private static let pageCount = 256
    private static let pageSize = 256

    /// For each page of ports the number of its services; pages without a port of the list have the same ones.
    private let pages: UnsafeMutablePointer<UInt8>
    private let services: UnsafeMutablePointer<FlowService>

    init() {
        let highest = Set(FlowService.known.map { $0.port >> 8 }).sorted()
        pages = .allocate(capacity: Self.pageCount)
        pages.initialize(repeating: 0, count: Self.pageCount)
        let count = (highest.count + 1) * Self.pageSize
        services = .allocate(capacity: count)
        services.initialize(repeating: .other, count: count)
        for (number, page) in highest.enumerated() { pages[Int(page)] = UInt8(number + 1) }
        for (place, known) in FlowService.known.enumerated() {
            services[index(known.port)] = FlowService(rawValue: UInt8(place + 2))
        }
    }

    deinit {
        pages.deallocate()
        services.deallocate()
    }

    /// The service of a port.
    @inline(__always)
    func service(of port: UInt16) -> FlowService {
        services[index(port)]
    }

    @inline(__always)
    private func index(_ port: UInt16) -> Int {
        Int(pages[Int(port >> 8)]) &* Self.pageSize &+ Int(port & 255)
    }
}

internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// Makes samples of the heaviest keys, as far as privacy allows it.
struct TopSamples {
    private let limit: Int
    private let privacy: NamePrivacy

    init(limit: Int, privacy: NamePrivacy) {
        self.limit = limit
        self.privacy = privacy
    }

    /// Adds the heaviest peers, services and conversations.
    func add(_ flows: borrowing FlowTracker, to sheet: SampleSheet) {
        switch flows.ranking {
        case .none: break
        case .some(let ranking):
            add(ranking.services, TopMetrics.services, to: sheet) { Self.service($0) }
            guard privacy != .none else { return }
            add(ranking.peers, TopMetrics.peers, to: sheet) { peer($0) }
            add(ranking.conversations, TopMetrics.conversations, to: sheet) { conversation($0) }
        }
    }

    /// Adds the heaviest names, clients and missing names, and how many there were.
    func add(_ dns: borrowing DNSMonitor, to sheet: SampleSheet) {
        TopMetrics.dns.addDistinct(dns.totals.top, to: sheet)
        TopMetrics.dns.addTop(dns.totals.top, limit, privacy, to: sheet) { privacy.text(name: $0) }
    }

    private func add(
        _ ranking: borrowing SpaceSaving,
        _ metric: MetricDefinition,
        to sheet: SampleSheet,
        _ attributes: ([UInt8]) -> [Attribute]?
    ) {
        // Where keys are cut, several become one, and those beyond the limit may be needed for it.
        let lookedAt = privacy == .domain ? ranking.capacity : limit
        sheet.addTop(ranking, metric, limit: limit, lookedAt: lookedAt, attributes)
    }
}

extension TopSamples {
    private func peer(_ key: [UInt8]) -> [Attribute]? {
        guard let address = key.withUnsafeBytes({ IPAddress(bytes: $0) }) else { return nil }
        return privacy.text(client: address).map { [Attribute("network.peer.address", $0)] }
    }

    private static func service(_ key: [UInt8]) -> [Attribute]? {
        guard key.count == FlowRanking.serviceKeyLength else { return nil }
        let transport = Attribute("network.transport", IPProtocol(rawValue: key[0]).name)
        let port = UInt16(key[1]) << 8 | UInt16(key[2])
        return port == 0 ? [transport] : [transport, Attribute("server.port", "\(port)")]
    }

    private func conversation(_ bytes: [UInt8]) -> [Attribute]? {
        guard bytes.count == MemoryLayout<FlowKey>.size else { return nil }
        let key = bytes.withUnsafeBytes { $0.loadUnaligned(as: FlowKey.self) }
        let server = FlowService.server(of: key, sender: .low)
        guard
            let clientAddress = privacy.text(client: key.address(server.other)),
            let serverAddress = privacy.text(client: key.address(server))
        else { return nil }
        var attributes = [
            Attribute("client.address", clientAddress), Attribute("server.address", serverAddress),
            Attribute("network.transport", key.kind == .fragment ? "fragment" : key.transport.name),
        ]
        if key.kind == .ported {
            attributes.append(Attribute("client.port", "\(key.port(server.other))"))
            attributes.append(Attribute("server.port", "\(key.port(server))"))
        }
        if let vlan = key.vlan { attributes.append(Attribute("sonde.vlan.id", "\(vlan)")) }
        return attributes
    }
}

extension IPProtocol {
    /// The value of the attribute `network.transport`.
    fileprivate var name: String {
        switch self {
        case .tcp: "tcp"
        case .udp: "udp"
        case .icmp, .icmpv6: "icmp"
        case .sctp: "sctp"
        default: "ip_\(rawValue)"
        }
    }
}

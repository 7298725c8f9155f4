/// What a list of the heaviest is made of: the series of a metric, one row for each value of some attributes.
///
/// Immutable and shared.
public final class TopListDefinition: Sendable {
    /// How a row is called.
    enum Label: Sendable {
        /// The values of the attributes, one after the other.
        case values
        /// Two addresses with their ports, and how they talk.
        case conversation
    }

    /// The attribute that only the series of what is left beside the heaviest has; a metric with it is a list.
    public static let restAttribute = "sonde.top"
    /// How many lists a plugin may have beside those of ``all``.
    public static let furtherBound = 16
    /// How many attributes distinguish rows at most.
    static let keyBound = 8

    /// What requests call it: `talkers.addresses`.
    public let name: String
    /// What people call it.
    public let title: String
    /// The attributes that a row is one value of.
    public let keys: [String]
    /// What has to run for it to be there.
    public let needs: String
    let metrics: Set<String>
    private let label: Label

    init(
        _ name: String, _ title: String, of metrics: Set<String>, by keys: [String], label: Label = .values,
        needs: String
    ) {
        self.name = name
        self.title = title
        self.keys = keys
        self.needs = needs
        self.metrics = metrics
        self.label = label
    }

    /// The list of a metric that is not in ``all`` and has the attribute of what is left; nil: it has not.
    public convenience init?(_ metric: MetricDefinition) {
        guard metric.attributes.contains(Self.restAttribute), Self.byMetric[metric.name] == nil else { return nil }
        let keys = metric.attributes.filter { $0 != Self.restAttribute }.prefix(Self.keyBound)
        self.init(metric.name, metric.name, of: [metric.name], by: Array(keys), needs: "")
    }

    /// The row of a series without its value; nil: the series is what is left.
    func row(of series: Series) -> TopList.Row? {
        guard series.attribute(Self.restAttribute) == nil else { return nil }
        let attributes = keys.compactMap { key in series.attributes.first { $0.name == key } }
        guard !attributes.isEmpty, attributes != [Self.otherCgroups] else { return nil }
        return TopList.Row(label: text(attributes), attributes: attributes, value: 0)
    }

    private func text(_ attributes: [Attribute]) -> String {
        guard label == .conversation else { return attributes.map(\.value).joined(separator: " ") }
        let value = { (name: String) in attributes.first { $0.name == name }?.value }
        let end = { (side: String) in
            let address = value("\(side).address") ?? "?"
            guard let port = value("\(side).port") else { return address }
            return address.utf8.contains(0x3a) ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
        let vlan = value("sonde.vlan.id").map { " vlan \($0)" } ?? ""
        return "\(end("client")) > \(end("server")) \(value("network.transport") ?? "?")\(vlan)"
    }

    /// procnet says so what it does not report by name.
    private static let otherCgroups = Attribute("sonde.cgroup", "other")
}

extension TopListDefinition {
    /// The lists that everybody looks for, in the order in which they are shown.
    public static let all: [TopListDefinition] = [
        .init(
            "talkers.addresses", "Talkers by address", of: ["sonde.flow.top.peer.interval.io"],
            by: ["network.peer.address"], needs: named),
        .init(
            "talkers.ports", "Talkers by port", of: ["sonde.flow.top.service.interval.io"],
            by: ["network.transport", "server.port"], needs: counted),
        .init(
            "talkers.protocols", "Talkers by protocol", of: ["sonde.flow.io"], by: ["network.transport"], needs: flows),
        .init(
            "talkers.conversations", "Conversations", of: ["sonde.flow.top.conversation.interval.io"],
            by: [
                "client.address", "client.port", "server.address", "server.port", "network.transport", "sonde.vlan.id",
            ], label: .conversation, needs: named),
        .init(
            "services.connections", "Services by connections", of: ["sonde.cgroup.connection.current"],
            by: ["sonde.cgroup"], needs: sockets),
        .init(
            "services.bytes", "Services by bytes of their open connections", of: ["sonde.cgroup.connection.io.current"],
            by: ["sonde.cgroup"], needs: sockets),
        .init(
            "dns.names", "DNS names", of: dns("name.interval.queries"), by: ["sonde.dns.name"], needs: asked),
        .init(
            "dns.failing_names", "DNS names that fail or do not exist",
            of: [
                "sonde.dns.wire.top.missing_name.interval.responses",
                "sonde.dns.resolver.top.failing_name.interval.failures",
            ], by: ["sonde.dns.name"], needs: asked),
        .init("dns.clients", "DNS clients", of: dns("client.interval.queries"), by: ["client.address"], needs: asked),
    ]

    /// The lists of a plugin by metric: those of ``all``, and at most ``furtherBound`` others.
    public static func lists(of metrics: [MetricDefinition]) -> [String: TopListDefinition] {
        let further = metrics.lazy.compactMap { TopListDefinition($0) }.prefix(furtherBound)
        return Dictionary(further.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            .merging(byMetric) { _, known in known }
    }

    private static let byMetric: [String: TopListDefinition] = Dictionary(
        all.flatMap { list in list.metrics.map { ($0, list) } }, uniquingKeysWith: { first, _ in first })

    private static let flows = "a source pcap with flows"
    private static let counted = "a source pcap with flows and top above 0"
    private static let named = "a source pcap with flows, top above 0 and privacy other than none"
    private static let sockets = "a source procnet with sockets: detail, and a kernel that names the cgroup of a socket"
    private static let asked = "a source pcap or dnslog with top above 0 and privacy other than none"

    private static func dns(_ list: String) -> Set<String> {
        ["sonde.dns.wire.top.\(list)", "sonde.dns.resolver.top.\(list)"]
    }
}

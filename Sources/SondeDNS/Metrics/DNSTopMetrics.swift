public import SondeDomain
public import SondePluginKit
public import SondeWire

/// Where DNS is seen: on the wire, or by a resolver.
public enum DNSView: String, Sendable {
    case wire
    case resolver
}

/// The names and clients of an interval that had most, what is left beside them, and how many there were.
///
/// Gauges: how much of it there was since the samples before. A counter would vanish when its key leaves the top, and what
/// is left would have to go down when one comes in; so the sum over a metric's series is what there was, in every interval.
public struct DNSTopMetrics: Sendable {
    private let view: DNSView
    private let names: MetricDefinition
    private let clients: MetricDefinition
    private let failingNames: MetricDefinition
    private let distinctNames: MetricDefinition
    private let distinctClients: MetricDefinition

    /// The metrics of a view, each with the attributes `common`; `failing` is how the one of failing names is called behind
    /// `top.`, its unit and meaning.
    public init(_ view: DNSView, common: [String] = [], failing: (name: String, unit: String, meaning: String)) {
        func gauge(_ name: String, _ unit: String, _ attributes: [String], _ meaning: String) -> MetricDefinition {
            MetricDefinition(
                "sonde.dns.\(view.rawValue).\(name)", .gauge, unit: unit, attributes: common + attributes,
                meaning: meaning)
        }
        self.view = view
        let byName = ["sonde.dns.name", SampleSheet.topRest]
        names = gauge(
            "top.name.interval.queries", "{query}", byName,
            "Queries of the interval for the names that were asked for most.")
        clients = gauge(
            "top.client.interval.queries", "{query}", ["client.address", SampleSheet.topRest],
            "Queries of the interval by the clients that asked most.")
        failingNames = gauge("top." + failing.name, failing.unit, byName, failing.meaning)
        distinctNames = gauge(
            "name.distinct", "{name}", [], "Different names that were asked for in the interval, within about 2 %.")
        distinctClients = gauge(
            "client.distinct", "{client}", [], "Different clients that asked in the interval, within about 2 %.")
    }

    /// Those by name and client.
    public var top: [MetricDefinition] { [names, clients, failingNames] }
    /// Those that only count.
    public var distinct: [MetricDefinition] { [distinctNames, distinctClients] }

    /// Adds the heaviest `limit` names, clients and failing names, as far as privacy allows it; `name` is the text of a key.
    public func addTop(
        _ ranking: borrowing DNSRanking, _ limit: Int, _ privacy: NamePrivacy, common: [Attribute] = [],
        to sheet: SampleSheet, name: ([UInt8]) -> String
    ) {
        guard privacy != .none else { return }
        func add(_ keys: borrowing SpaceSaving, _ metric: MetricDefinition, _ attributes: ([UInt8]) -> [Attribute]?) {
            // A log without any may not contain that kind at all; on the wire there was none.
            guard keys.total > 0 || view == .wire else { return }
            sheet.addTop(keys, metric, limit: limit, lookedAt: limit, common: common, attributes)
        }
        add(ranking.names, names) { [Attribute("sonde.dns.name", name($0))] }
        add(ranking.clients, clients) { key in
            let address = key.withUnsafeBytes { IPAddress(bytes: $0) }
            return address.flatMap { privacy.text(client: $0) }.map { [Attribute("client.address", $0)] }
        }
        add(ranking.failingNames, failingNames) { [Attribute("sonde.dns.name", name($0))] }
    }

    /// Adds how many names and clients there were.
    public func addDistinct(_ ranking: borrowing DNSRanking, common: [Attribute] = [], to sheet: SampleSheet) {
        let name = common.first?.value ?? ""
        sheet.add(distinctNames, .unsigned(ranking.distinctNames.estimate), name: name, common)
        sheet.add(distinctClients, .unsigned(ranking.distinctClients.estimate), name: name, common)
    }
}

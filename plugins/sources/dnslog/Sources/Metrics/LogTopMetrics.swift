internal import SondeDomain

/// The names and clients of an interval that had most, and what is left beside them: gauges, as those of the packet source.
enum LogTopMetrics {
    /// The attribute that only the series of what is left has, with the value `other`.
    static let rest = "sonde.top"

    static let names = top(
        "name.interval.queries", "{query}", "sonde.dns.name",
        "Queries of the interval for the names that were asked for most.")
    static let clients = top(
        "client.interval.queries", "{query}", "client.address",
        "Queries of the interval by the clients that asked most.")
    static let failingNames = top(
        "failing_name.interval.failures", "{failure}", "sonde.dns.name",
        "Failures of the interval for the names that had most of them.")
    static let distinctNames = distinct("name", "{name}", "Different names that were asked for")
    static let distinctClients = distinct("client", "{client}", "Different clients that asked")

    static var all: [MetricDefinition] { [names, clients, failingNames, distinctNames, distinctClients] }

    private static func top(
        _ name: String, _ unit: String, _ attribute: String, _ meaning: String
    ) -> MetricDefinition {
        MetricDefinition(
            "sonde.dns.resolver.top." + name, .gauge, unit: unit, attributes: [LogMetrics.resolver, attribute, rest],
            meaning: meaning
        )
    }

    private static func distinct(_ name: String, _ unit: String, _ meaning: String) -> MetricDefinition {
        MetricDefinition(
            "sonde.dns.resolver.\(name).distinct", .gauge, unit: unit, attributes: [LogMetrics.resolver],
            meaning: meaning + " in the interval, within about 2 %."
        )
    }
}

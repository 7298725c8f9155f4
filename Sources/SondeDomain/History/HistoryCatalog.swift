/// Which series history is kept of: a closed list, so that its size is known beforehand.
///
/// Everything that is not in it is not kept; what is in it and finds no room is counted.
public enum HistoryCatalog {
    /// How many series of single interfaces are kept beside the totals.
    public static let furtherBound = 40

    /// What a series contributes; most contribute nothing.
    public static func contributions(of series: Series) -> [HistoryContribution] {
        switch series.name {
        case "system.network.io": [bandwidth(series, .rate, .interface)].compactMap(\.self)
        case "sonde.network.interface.rate.peak": [bandwidth(series, .peak, .interface)].compactMap(\.self)
        case "sonde.network.host.io": [bandwidth(series, .rate, .uplinks)].compactMap(\.self)
        case "sonde.network.host.rate.peak": [bandwidth(series, .peak, .uplinks)].compactMap(\.self)
        case "system.network.connections": [connections(series)].compactMap(\.self)
        case "sonde.agent.memory.usage": [agent(.agentMemory, .value, series)]
        case "sonde.agent.cpu.time": [agent(.agentProcessor, .rate, series)]
        case "sonde.source.sample.count": [agent(.agentSamples, .rate, series)]
        case "sonde.sink.queue.point": [waiting(series)].compactMap(\.self)
        default: [sockets(series)].compactMap(\.self) + dns(series)
        }
    }

    /// A metric that history is made of, as sources have to describe it.
    public struct Input: Hashable, Sendable {
        /// The metric's name.
        public var name: String
        /// The kinds that its values may have.
        public var kinds: Set<MetricKind>
        /// What its series have to carry.
        public var attributes: [String]
    }

    /// Every metric that ``contributions(of:)`` handles.
    public static var inputs: [Input] {
        let direction = "network.io.direction"
        let interface = ["network.interface.name", direction]
        let bandwidth = [
            Input(name: "system.network.io", kinds: [.counter], attributes: interface),
            Input(name: "sonde.network.interface.rate.peak", kinds: [.gauge], attributes: interface),
            Input(name: "sonde.network.host.io", kinds: [.counter], attributes: [direction]),
            Input(name: "sonde.network.host.rate.peak", kinds: [.gauge], attributes: [direction]),
        ]
        let states = Input(
            name: "system.network.connections", kinds: [.gauge, .upDown],
            attributes: ["network.transport", "network.connection.state"])
        let sockets = SocketGroup.metrics.map {
            Input(name: $0, kinds: [.gauge, .upDown], attributes: [])
        }
        let dns = dnsMetrics.sorted { $0.key < $1.key }.map { name, metric in
            Input(
                name: name, kinds: [metric.shape == .distribution ? .histogram : .counter],
                attributes: metric == .dnsResponses ? ["sonde.dns.rcode"] : [])
        }
        let agent = [
            Input(name: "sonde.agent.memory.usage", kinds: [.gauge], attributes: []),
            Input(name: "sonde.agent.cpu.time", kinds: [.counter], attributes: []),
            Input(name: "sonde.source.sample.count", kinds: [.counter], attributes: []),
            Input(name: "sonde.sink.queue.point", kinds: [.upDown], attributes: ["sonde.component"]),
        ]
        return bandwidth + [states] + sockets + dns + agent
    }

    private enum Extent {
        case interface
        case uplinks
    }

    private static func bandwidth(
        _ series: Series,
        _ part: HistoryContribution.Part,
        _ extent: Extent
    ) -> HistoryContribution? {
        let metric: HistoryMetric
        switch series.attribute("network.io.direction") {
        case "receive": metric = .bandwidthReceive
        case "transmit": metric = .bandwidthTransmit
        default: return nil
        }
        switch extent {
        case .uplinks: return HistoryContribution(HistorySeries(metric, source: series.source), part)
        case .interface:
            guard let name = series.attribute("network.interface.name") else { return nil }
            let kept = HistorySeries(metric, member: name, source: series.source)
            return HistoryContribution(kept, part, rank: .further)
        }
    }

    private static func connections(_ series: Series) -> HistoryContribution? {
        guard let state = series.attribute("network.connection.state") else { return nil }
        let metric: HistoryMetric
        switch series.attribute("network.transport") {
        case "tcp": metric = .connectionsTCP
        case "udp": metric = .connectionsUDP
        default: return nil
        }
        return HistoryContribution(HistorySeries(metric, member: state, source: series.source), .value)
    }

    private static func sockets(_ series: Series) -> HistoryContribution? {
        guard let group = SocketGroup(metric: series.name) else { return nil }
        return HistoryContribution(HistorySeries(group.metric, member: group.state, source: series.source), .value)
    }

    private static func agent(
        _ metric: HistoryMetric,
        _ part: HistoryContribution.Part,
        _ series: Series
    ) -> HistoryContribution {
        HistoryContribution(HistorySeries(metric, source: series.source), part)
    }

    private static func waiting(_ series: Series) -> HistoryContribution? {
        series.attribute("sonde.component").map {
            HistoryContribution(HistorySeries(.agentWaiting, member: $0, source: series.source), .value)
        }
    }

    private static func dns(_ series: Series) -> [HistoryContribution] {
        guard let metric = dnsMetrics[series.name] else { return [] }
        // What this host asks and what it is asked are counted separately; nothing is added up over both.
        let role = series.attribute("sonde.dns.role")
        guard role == nil || role == "server" else { return [] }
        let part: HistoryContribution.Part = metric.shape == .distribution ? .durations : .rate
        let all = HistoryContribution(HistorySeries(metric, source: series.source), part)
        guard metric == .dnsResponses, let code = series.attribute("sonde.dns.rcode") else { return [all] }
        let word = responseCodes.contains(code.lowercased()) ? code.lowercased() : "other"
        return [all, HistoryContribution(HistorySeries(.dnsResponseCodes, member: word, source: series.source), .rate)]
    }

    /// The codes that show the health of a resolver (RFC 1035 section 4.1.1); all others are one series.
    private static let responseCodes: Set = ["noerror", "formerr", "servfail", "nxdomain", "notimp", "refused"]

    private static let dnsMetrics: [String: HistoryMetric] = [
        "sonde.dns.wire.query.count": .dnsQueries,
        "sonde.dns.wire.response.count": .dnsResponses,
        "sonde.dns.wire.query.unanswered": .dnsUnanswered,
        "sonde.dns.wire.response.duration": .dnsLatency,
        "sonde.dns.resolver.query.count": .dnsQueries,
        "sonde.dns.resolver.response.count": .dnsResponses,
        "sonde.dns.resolver.failure.count": .dnsFailures,
        "sonde.dns.resolver.query.unanswered": .dnsUnanswered,
        "sonde.dns.resolver.response.duration": .dnsLatency,
    ]
}

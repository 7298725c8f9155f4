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
        guard let (metric, state) = socketMetrics[series.name] else { return nil }
        return HistoryContribution(HistorySeries(metric, member: state, source: series.source), .value)
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

    /// What the kernel counts without a walk, both IP versions together (net/ipv4/proc.c, sockstat_seq_show, and
    /// net/ipv6/proc.c, sockstat6_seq_show; orphan covers both already).
    ///
    /// States are those of the walk alone: what the kernel counts beside it as established (Tcp.CurrEstab) has close-wait in
    /// it, and what it counts in time-wait (sockstat) has a part of fin-wait-2 in it.
    private static let socketMetrics: [String: (metric: HistoryMetric, state: String)] = [
        "sonde.tcp.socket.orphan": (.connectionsTCP, "orphaned"),
        "sonde.kernel.sockstat.tcp.inuse": (.connectionsTCP, "in_use"),
        "sonde.kernel.sockstat.tcp6.inuse": (.connectionsTCP, "in_use"),
        "sonde.kernel.sockstat.udp.inuse": (.connectionsUDP, "in_use"),
        "sonde.kernel.sockstat.udp6.inuse": (.connectionsUDP, "in_use"),
        "sonde.kernel.sockstat.raw.inuse": (.connectionsRaw, "in_use"),
        "sonde.kernel.sockstat.raw6.inuse": (.connectionsRaw, "in_use"),
    ]

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

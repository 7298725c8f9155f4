/// What history is kept of: a metric, of one member where it has several, as one source has read it.
public struct HistorySeries: Hashable, Sendable, Comparable {
    /// The metric.
    public let metric: HistoryMetric
    /// The interface, state or response code; nil: the metric has one series per source.
    public let member: String?
    /// The `id` of the source.
    public let source: String
    // Made once: a series is looked up in several tables at every commit.
    private let digest: Int

    /// A series.
    public init(_ metric: HistoryMetric, member: String? = nil, source: String) {
        self.metric = metric
        self.member = member
        self.source = source
        var hasher = Hasher()
        hasher.combine(metric)
        hasher.combine(member)
        hasher.combine(source)
        digest = hasher.finalize()
    }

    /// Whether all three are the same.
    public static func == (left: HistorySeries, right: HistorySeries) -> Bool {
        left.digest == right.digest && left.metric == right.metric && left.member == right.member
            && left.source == right.source
    }

    /// Hashes what it is of.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Orders by metric, member and source.
    public static func < (left: HistorySeries, right: HistorySeries) -> Bool {
        (left.metric.rawValue, left.member ?? "", left.source)
            < (right.metric.rawValue, right.member ?? "", right.source)
    }
}

/// What history can be kept of.
public enum HistoryMetric: String, Hashable, Sendable, CaseIterable {
    /// Bytes per second that came in, by interface; without one, over the uplinks.
    case bandwidthReceive = "bandwidth.receive"
    /// Bytes per second that went out, by interface; without one, over the uplinks.
    case bandwidthTransmit = "bandwidth.transmit"
    /// TCP connections and sockets by state.
    case connectionsTCP = "connections.tcp"
    /// UDP sockets by state.
    case connectionsUDP = "connections.udp"
    /// Raw sockets by state.
    case connectionsRaw = "connections.raw"
    /// Queries per second.
    case dnsQueries = "dns.queries"
    /// Responses per second.
    case dnsResponses = "dns.responses"
    /// Responses per second by code.
    case dnsResponseCodes = "dns.rcode"
    /// Transactions per second that failed.
    case dnsFailures = "dns.failures"
    /// Transactions per second that got no answer.
    case dnsUnanswered = "dns.unanswered"
    /// How long answers took.
    case dnsLatency = "dns.latency"
    /// Memory that the agent has.
    case agentMemory = "agent.memory"
    /// Share of one processor that the agent has used.
    case agentProcessor = "agent.cpu"
    /// Samples per second that were taken.
    case agentSamples = "agent.samples"
    /// Points that wait for a sink, by sink.
    case agentWaiting = "agent.waiting"
    /// Points per second that were lost.
    case agentLosses = "agent.losses"

    /// Whether it has values or durations of events.
    public enum Shape: Hashable, Sendable {
        /// A value that holds for a time.
        case value
        /// Durations of events.
        case distribution
    }

    /// Whether it has values or durations of events.
    public var shape: Shape { self == .dnsLatency ? .distribution : .value }

    /// UCUM as OpenTelemetry uses it.
    public var unit: String {
        switch self {
        case .bandwidthReceive, .bandwidthTransmit: "By/s"
        case .connectionsTCP, .connectionsUDP, .connectionsRaw: "{connection}"
        case .dnsQueries: "{query}/s"
        case .dnsResponses, .dnsResponseCodes: "{response}/s"
        case .dnsFailures: "{failure}/s"
        case .dnsUnanswered: "{transaction}/s"
        case .dnsLatency: "s"
        case .agentMemory: "By"
        case .agentProcessor: "1"
        case .agentSamples: "{sample}/s"
        case .agentWaiting: "{point}"
        case .agentLosses: "{point}/s"
        }
    }

    /// What distinguishes the members; nil: there are none.
    public var memberName: String? {
        switch self {
        case .bandwidthReceive, .bandwidthTransmit: "interface"
        case .connectionsTCP, .connectionsUDP, .connectionsRaw: "state"
        case .dnsResponseCodes: "rcode"
        case .agentWaiting: "sink"
        default: nil
        }
    }

    /// The metrics that a word means: one by its name, or all whose name begins with it and a dot.
    public static func named(_ word: String) -> [HistoryMetric] {
        allCases.filter { $0.rawValue == word || $0.rawValue.hasPrefix("\(word).") }
    }

    /// The first words of all names: `bandwidth`, `connections`, `dns`, `agent`.
    public static let groups = ["bandwidth", "connections", "dns", "agent"]
}

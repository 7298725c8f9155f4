public import SondeDomain

/// A page of the dashboard.
public enum DashboardTab: String, Hashable, Sendable, CaseIterable {
    /// The host in a few lines, and what is broken.
    case overview
    /// Bandwidth by interface.
    case interfaces
    /// Sockets by transport and state.
    case connections
    /// Services by connections and bytes.
    case services
    /// Addresses, ports and protocols by bytes.
    case talkers
    /// Name service, and packets that were dropped.
    case dns
    /// Sources and sinks, and what is broken.
    case plugins

    /// The metrics that its chart can show, the first by itself; none: it has no chart.
    public var metrics: [HistoryMetric] {
        switch self {
        case .overview:
            [.bandwidthReceive, .bandwidthTransmit, .connectionsTCP, .dnsQueries, .dnsFailures, .dnsLatency]
        case .interfaces: [.bandwidthReceive, .bandwidthTransmit]
        case .connections: [.connectionsTCP, .connectionsUDP, .connectionsRaw]
        case .services: []
        // Who talks stands below how full the link is, and since when.
        case .talkers: [.bandwidthReceive, .bandwidthTransmit]
        case .dns: [.dnsQueries, .dnsResponses, .dnsFailures, .dnsUnanswered, .dnsLatency]
        case .plugins: [.agentMemory, .agentProcessor, .agentWaiting]
        }
    }

    /// Its name for people.
    public var title: String { self == .dns ? "DNS" : rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The lists that it can show, the first by itself; on the overview and the page of name service none is.
    public var lists: [String] {
        switch self {
        case .services: ["services.bytes", "services.connections"]
        case .talkers: ["talkers.addresses", "talkers.ports", "talkers.protocols", "talkers.conversations"]
        case .dns: ["dns.names", "dns.failing_names", "dns.clients"]
        case .overview: ["changes"]
        case .interfaces, .connections, .plugins: []
        }
    }

    /// What it begins with: a list, or nothing where it has other rows.
    var firstList: String? { self == .dns || self == .overview ? nil : lists.first }

    /// Whether its rows have courses.
    var hasCourses: Bool { self == .interfaces || self == .connections }

    /// Whether it shows what has moved from what is usual.
    var showsChanges: Bool { self == .overview || self == .talkers }

    /// Whether it shows what `status` has.
    var showsStatus: Bool { self == .overview || self == .plugins }
}

extension HistoryMetric {
    /// Its name for people.
    public var title: String {
        switch self {
        case .bandwidthReceive: "receive"
        case .bandwidthTransmit: "transmit"
        case .connectionsTCP: "tcp connections"
        case .connectionsUDP: "udp sockets"
        case .connectionsRaw: "raw sockets"
        case .dnsQueries: "dns queries"
        case .dnsResponses: "dns responses"
        case .dnsResponseCodes: "dns responses by code"
        case .dnsFailures: "dns failures"
        case .dnsUnanswered: "dns queries without an answer"
        case .dnsLatency: "dns latency"
        case .agentMemory: "memory of the agent"
        case .agentProcessor: "processor of the agent"
        case .agentSamples: "samples"
        case .agentWaiting: "points that wait"
        case .agentLosses: "points that were lost"
        }
    }

    /// What it is part of: `bandwidth`, `connections`, `dns`, `agent`.
    var domain: Substring { rawValue.prefix { $0 != "." } }

    /// The member that stands for all of them; nil: the series without a member does.
    var wholeMember: String? {
        switch self {
        case .connectionsTCP: "connected"
        case .connectionsUDP, .connectionsRaw: "in_use"
        default: nil
        }
    }
}

/// What a log can contain; what it cannot is absent, never 0.
enum LogCapability: String, CaseIterable {
    case queries
    /// The types of queries.
    case types = "qtypes"
    /// Clients.
    case clients
    /// How clients and the resolver speak.
    case transport
    /// Every answer.
    case responses
    /// The codes of all answers that have one in the log.
    case codes = "rcodes"
    /// Answers that are errors.
    case failures
    /// Whether an answer was known already.
    case cached
    case latency
    /// Queries without an answer.
    case unanswered
    /// Queries that were thrown away.
    case dropped
    /// Servers that failed the resolver.
    case upstreams
}

extension LogFormat {
    /// What a log of this format can contain when everything is switched on that the README names.
    var capabilities: [LogCapability] {
        switch self {
        case .unbound:
            [
                .queries, .types, .clients, .responses, .codes, .failures, .cached, .latency, .unanswered, .upstreams,
            ]
        case .bind: [.queries, .types, .clients, .transport, .failures, .upstreams]
        case .dnsmasq:
            [.queries, .types, .clients, .responses, .codes, .failures, .cached, .unanswered, .upstreams]
        case .powerdns:
            [
                .queries, .types, .clients, .transport, .responses, .codes, .failures, .cached, .latency, .dropped,
            ]
        case .kresd:
            [.queries, .types, .clients, .transport, .responses, .codes, .failures, .cached, .unanswered]
        case .coredns:
            [
                .queries, .types, .clients, .transport, .responses, .codes, .failures, .latency, .unanswered,
                .upstreams,
            ]
        case .adguard:
            [
                .queries, .types, .clients, .transport, .responses, .codes, .failures, .cached, .latency, .unanswered,
            ]
        case .dnstap:
            [
                .queries, .types, .clients, .transport, .responses, .codes, .failures, .latency, .unanswered,
                .upstreams,
            ]
        }
    }
}

extension LogAnalysis {
    /// What this log contains, by what was seen in it: a category may be switched off, or be in another file.
    var capabilities: [LogCapability] {
        var contained: [LogCapability] = []
        for capability in format.capabilities where contains(capability) { contained.append(capability) }
        return contained
    }

    private func contains(_ capability: LogCapability) -> Bool {
        let hasQueries = totals.queries > 0
        let hasResponses = totals.responses > 0
        switch (format, capability) {
        // Who has never failed may as well not be logged.
        case (.unbound, .upstreams), (.bind, .upstreams), (.coredns, .upstreams), (.dnstap, .upstreams):
            return totals.upstreams.total > 0
        // They may be switched off, or be in another file.
        case (_, .queries), (_, .types), (_, .transport): return hasQueries
        // Without an answer in the log, there may be another one that has them.
        case (.bind, .failures), (.unbound, .responses), (.unbound, .codes), (.unbound, .failures),
            (.unbound, .cached), (.unbound, .latency), (.dnstap, .responses), (.dnstap, .codes), (.dnstap, .failures),
            (.dnstap, .latency):
            return hasResponses
        case (.unbound, .unanswered), (.dnstap, .unanswered): return hasResponses && hasKeys && hasQueries
        // Plain lines do not name the query they belong to.
        case (.dnsmasq, .responses), (.dnsmasq, .codes), (.dnsmasq, .cached), (.dnsmasq, .unanswered),
            (.dnsmasq, .upstreams):
            return hasKeys
        case (_, .dropped): return hasQueries || hasResponses || totals.dropped > 0
        default: return hasQueries || hasResponses
        }
    }
}

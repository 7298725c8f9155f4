internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

extension SampleSheet {
    /// Adds the metrics of the log of one format.
    func add(_ analysis: borrowing LogAnalysis) {
        let name = analysis.format.rawValue
        let resolver = [Attribute(LogMetrics.resolver, name)]
        let contained = analysis.capabilities
        if analysis.format == .dnstap {
            add(DnstapMetrics.frames, .unsigned(analysis.totals.lines))
            add(DnstapMetrics.malformed, .unsigned(analysis.totals.unparsed))
        } else {
            add(LogMetrics.lines, .unsigned(analysis.totals.lines), name: name, resolver)
            add(LogMetrics.unparsed, .unsigned(analysis.totals.unparsed), name: name, resolver)
        }
        addQueries(analysis.totals, name, resolver, contained)
        addEnds(analysis, name, resolver, contained)
        if contained.contains(.responses) { addResponses(analysis.totals, name, resolver) }
        for (server, cause, count) in analysis.totals.upstreams.all {
            let server = server ?? "other"
            add(
                LogMetrics.upstreamFailures, .unsigned(count), name: "\(name) \(server) \(cause)",
                resolver + [Attribute("server.address", server), Attribute("error.type", cause.attribute)]
            )
        }
    }

    private func addQueries(
        _ totals: borrowing LogTotals, _ name: String, _ resolver: [Attribute], _ contained: [LogCapability]
    ) {
        guard contained.contains(.queries) else { return }
        for lane in LogLane.all where totals[lane] > 0 {
            var attributes = resolver
            if let transport = lane.transport.attribute {
                attributes.append(Attribute("network.transport", transport))
            }
            if let family = lane.family { attributes.append(Attribute("network.type", family)) }
            add(LogMetrics.queries, .unsigned(totals[lane]), cell: lane.index, name: name, attributes)
        }
        var types: [String: UInt64] = [:]
        for (code, count) in totals.types.all { types[DNSType(rawValue: code).attribute, default: 0] &+= count }
        for (type, count) in types {
            add(
                LogMetrics.questions, .unsigned(count), name: "\(name) \(type)",
                resolver + [Attribute("sonde.dns.qtype", type)]
            )
        }
    }

    /// How queries ended without their own response, and which of all ends are failures.
    private func addEnds(
        _ analysis: borrowing LogAnalysis, _ name: String, _ resolver: [Attribute], _ contained: [LogCapability]
    ) {
        if contained.contains(.unanswered) {
            add(LogMetrics.unanswered, .unsigned(analysis.totals.unanswered), name: name, resolver)
            add(LogMetrics.evicted, .unsigned(analysis.totals.evicted), name: name, resolver)
            add(LogMetrics.unasked, .unsigned(analysis.totals.unasked), name: name, resolver)
            add(LogMetrics.pendingBytes, .unsigned(UInt64(analysis.pending.byteCount)), name: name, resolver)
        }
        if contained.contains(.dropped) {
            add(LogMetrics.dropped, .unsigned(analysis.totals.dropped), name: name, resolver)
        }
        if analysis.totals.repeated > 0 {
            add(LogMetrics.repeated, .unsigned(analysis.totals.repeated), name: name, resolver)
        }
        guard contained.contains(.failures) else { return }
        for (type, count) in analysis.failures {
            add(
                LogMetrics.failures, .unsigned(count), name: "\(name) \(type)",
                resolver + [Attribute("error.type", type)]
            )
        }
    }

    private func addResponses(_ totals: borrowing LogTotals, _ name: String, _ resolver: [Attribute]) {
        var counts: [ResponseSeries: UInt64] = [:]
        for cell in ResponseCell.all where totals[cell] > 0 {
            counts[ResponseSeries(cell), default: 0] &+= totals[cell]
        }
        for (series, count) in counts {
            add(
                LogMetrics.responses, .unsigned(count), name: "\(name) \(series)", resolver + series.attributes
            )
        }
        for cache in LogEvent.Cache.allCases {
            guard let histogram = totals.latencies.histogram(lane: Int(cache.rawValue)) else { continue }
            let attributes = resolver + (cache.attribute.map { [Attribute("sonde.dns.cached", $0)] } ?? [])
            add(LogMetrics.duration, .histogram(histogram), cell: Int(cache.rawValue), name: name, attributes)
        }
    }
}

/// The attributes that distinguish the series of responses.
private struct ResponseSeries: Hashable, CustomStringConvertible {
    private let code: String?
    private let responseClass: ResponseClass?
    private let cache: LogEvent.Cache

    init(_ cell: ResponseCell) {
        code = cell.codeName
        responseClass = cell.responseClass
        cache = cell.cache
    }

    var description: String { "\(code ?? "") \(responseClass?.rawValue ?? "") \(cache)" }

    /// Without those that the log does not contain.
    var attributes: [Attribute] {
        [
            code.map { Attribute("sonde.dns.rcode", $0) },
            responseClass.map { Attribute("sonde.dns.class", $0.rawValue) },
            cache.attribute.map { Attribute("sonde.dns.cached", $0) },
        ].compactMap { $0 }
    }
}

extension LogEvent.Cache {
    /// The value of the attribute `sonde.dns.cached`; nil when the log does not contain it.
    var attribute: String? {
        switch self {
        case .unknown: nil
        case .hit: "true"
        case .miss: "false"
        }
    }
}

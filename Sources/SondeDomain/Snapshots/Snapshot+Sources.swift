extension Snapshot {
    /// Fills in what sources have told, by id; of several that tell the same, the first that tells it wins.
    public mutating func fill(from sources: [String: SourceWindow], at now: MonotonicInstant) {
        let ordered = sources.sorted { $0.key < $1.key }
        namespace = ordered.lazy.compactMap(\.value.namespace).first
        bandwidth = ordered.lazy.compactMap { $0.value.bandwidth($0.key, at: now) }.first
        connections = ordered.lazy.compactMap { $0.value.connections($0.key, at: now) }.first
        var dns = DNS()
        dns.wire = ordered.lazy.filter { $0.value.dnsView == .wire }.compactMap { $0.value.dns($0.key, at: now) }.first
        dns.log = ordered.lazy.filter { $0.value.dnsView == .log }.compactMap { $0.value.dns($0.key, at: now) }.first
        dns.joined = dns.log.map { $0.filled(from: dns.wire) } ?? dns.wire
        let drops = ordered.contains { ($0.value.drops.total(at: now) ?? 0) > 0 }
        dns.coverage = Coverage(
            seen: dns.wire?.queries, counted: dns.log?.queries, cause: drops ? .captureDrops : .otherPath)
        if dns.joined != nil { self.dns = dns }
        let coverage = coverage(ordered, hasDrops: drops, at: now)
        bandwidth?.coverage = coverage
    }

    /// What a capture saw of the bytes that the kernel counts on the same interface, both ways: a capture tells no
    /// direction.
    private func coverage(
        _ sources: [(key: String, value: SourceWindow)],
        hasDrops: Bool,
        at now: MonotonicInstant
    ) -> Coverage? {
        for (_, source) in sources {
            for (name, captured) in source.captured.sorted(by: { $0.key < $1.key }) {
                guard let flow = bandwidth?.interfaces[name], let receive = flow.receive.average,
                    let transmit = flow.transmit.average
                else { continue }
                let isGone = flow.receive.current == nil
                let cause: Coverage.Cause = hasDrops ? .captureDrops : isGone ? .interfaceGone : .aggregation
                return Coverage(seen: captured.average(at: now), counted: receive + transmit, cause: cause)
            }
        }
        return nil
    }
}

extension Snapshot.DNSPart {
    /// With the figures of another source where it has none.
    fileprivate func filled(from other: Self?) -> Self {
        guard let other else { return self }
        var filled = self
        if filled.rate == CurrentAveragePeak() { filled.rate = other.rate }
        filled.queries = queries ?? other.queries
        filled.responses = responses ?? other.responses
        filled.failures = failures ?? other.failures
        filled.unanswered = unanswered ?? other.unanswered
        filled.latencies = latencies ?? other.latencies
        if codes.isEmpty { filled.codes = other.codes }
        return filled
    }
}

extension SourceWindow {
    /// A value is the current one for three intervals: one may come late, and the next one is under way.
    private func bound(_ window: SeriesWindow) -> Nanoseconds {
        max(.seconds(1), min(self.window, Nanoseconds(window.held.value * 3)))
    }

    private func values(_ series: HistorySeries, _ now: MonotonicInstant) -> CurrentAveragePeak? {
        self.series[series].map { $0.values(at: now, within: bound($0)) }
    }

    private func current(_ series: HistorySeries, _ now: MonotonicInstant) -> Double? {
        self.series[series].flatMap { $0.current(at: now, within: bound($0)) }
    }

    private func age(_ metrics: Set<HistoryMetric>, _ now: MonotonicInstant) -> Nanoseconds? {
        series.filter { metrics.contains($0.key.metric) }.map(\.value.last).max().map { max(.zero, now.since($0)) }
    }

    fileprivate func bandwidth(_ source: String, at now: MonotonicInstant) -> Snapshot.Bandwidth? {
        guard let age = age([.bandwidthReceive, .bandwidthTransmit], now) else { return nil }
        var interfaces: [String: Snapshot.Flow] = [:]
        var total: Snapshot.Flow?
        for (series, window) in series {
            let values = window.values(at: now, within: bound(window))
            let path: WritableKeyPath<Snapshot.Flow, CurrentAveragePeak>
            switch series.metric {
            case .bandwidthReceive: path = \.receive
            case .bandwidthTransmit: path = \.transmit
            default: continue
            }
            if let name = series.member {
                interfaces[name, default: Snapshot.Flow()][keyPath: path] = values
            } else {
                var flow = total ?? Snapshot.Flow()
                flow[keyPath: path] = values
                total = flow
            }
        }
        return Snapshot.Bandwidth(
            source: source, age: age, peakStep: peakStep, uplinks: uplinks, total: total, interfaces: interfaces,
            coverage: nil)
    }

    fileprivate func connections(_ source: String, at now: MonotonicInstant) -> Snapshot.Connections? {
        let metrics: [HistoryMetric: String] = [.connectionsTCP: "tcp", .connectionsUDP: "udp", .connectionsRaw: "raw"]
        guard let age = age(Set(metrics.keys), now) else { return nil }
        var states: [String: [String: Double]] = [:]
        var walked: MonotonicInstant?
        for (series, window) in series {
            guard let name = metrics[series.metric], let state = series.member, state != "in_use",
                series != ConnectionTotals.series(source), let count = window.current(at: now, within: bound(window))
            else { continue }
            states[name, default: [:]][state] = count
            walked = max(walked ?? window.last, window.last)
        }
        var protocols: [String: Double] = [:]
        let total = values(ConnectionTotals.series(source), now) ?? CurrentAveragePeak()
        protocols["tcp"] = total.current
        protocols["udp"] = current(HistorySeries(.connectionsUDP, member: "in_use", source: source), now)
        return Snapshot.Connections(
            source: source, age: age, total: total, statesAge: walked.map { max(.zero, now.since($0)) }, states: states,
            protocols: protocols)
    }

    fileprivate func dns(_ source: String, at now: MonotonicInstant) -> Snapshot.DNSPart? {
        let metrics: Set<HistoryMetric> = [.dnsQueries, .dnsResponses, .dnsFailures, .dnsUnanswered, .dnsLatency]
        guard let age = age(metrics, now) else { return nil }
        let total = { (metric: HistoryMetric) in
            series[HistorySeries(metric, source: source)]?.total(at: now).map { $0.rounded() }
        }
        var part = Snapshot.DNSPart(source: source, age: age)
        part.rate = values(HistorySeries(.dnsQueries, source: source), now) ?? CurrentAveragePeak()
        part.queries = total(.dnsQueries)
        part.responses = total(.dnsResponses)
        part.unanswered = total(.dnsUnanswered)
        for (series, window) in series where series.metric == .dnsResponseCodes {
            guard let code = series.member, let count = window.total(at: now) else { continue }
            part.codes[code] = count.rounded()
        }
        part.failures = total(.dnsFailures) ?? failures(part)
        part.latencies = series[HistorySeries(.dnsLatency, source: source)]?.latencies(at: now)
        return part
    }

    /// A source that does not count failures tells codes: denial is none, an answer that never came is one.
    private func failures(_ part: Snapshot.DNSPart) -> Double? {
        guard part.responses != nil, let unanswered = part.unanswered else { return nil }
        let errors = part.codes.filter { !["noerror", "nxdomain"].contains($0.key) }
        return errors.values.reduce(unanswered, +)
    }
}

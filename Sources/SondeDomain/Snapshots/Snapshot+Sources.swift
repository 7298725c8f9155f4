extension Snapshot {
    /// Fills in what sources have reported, by id.
    ///
    /// Bandwidth and connections are of one namespace: the agent's own where a source reads it, else that of the first source.
    /// Of several sources that report the same, the one that names that namespace comes first, then the first by id.
    public mutating func fill(
        from sources: [String: SourceWindow],
        _ nameService: NameServiceCoverage? = nil,
        _ dropReasons: DropReasons? = nil,
        at now: MonotonicInstant
    ) {
        drops = dropReasons?.summary(at: now)
        let ordered = sources.sorted { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }
        let first = ordered.first { $0.value.namespace != nil || $0.value.hasTraffic }?.value
        namespace = first?.namespace
        let traffic = ordered.filter { $0.value.distance < .other || $0.value.namespace == first?.namespace }
        bandwidth = traffic.lazy.compactMap { $0.value.bandwidth($0.key, at: now) }.first
        bandwidth?.coverage = ordered.lazy.compactMap { $0.value.coverage(at: now) }.first
        connections = traffic.lazy.compactMap { $0.value.connections($0.key, at: now) }.first
        var dns = DNS()
        dns.wire = ordered.lazy.filter { $0.value.dnsView == .wire }.compactMap { $0.value.dns($0.key, at: now) }.first
        dns.log = ordered.lazy.filter { $0.value.dnsView == .log }.compactMap { $0.value.dns($0.key, at: now) }.first
        dns.join()
        if let wire = dns.wire?.source, let log = dns.log?.source {
            let hasDrops = (sources[wire]?.drops.total(at: now) ?? 0) > 0
            dns.coverage = nameService?.coverage(wire: wire, log: log, hasDrops: hasDrops, at: now)
        }
        if dns.joined != nil { self.dns = dns }
        lists = Self.lists(ordered, at: now)
    }

    /// Those that everybody looks for first, each of them of the nearest source first.
    private static func lists(
        _ sources: [(key: String, value: SourceWindow)], at now: MonotonicInstant
    ) -> [TopList] {
        let all = sources.flatMap { source in source.value.lists.values.compactMap { $0.list(of: source.key, at: now) }
        }
        let known = TopListDefinition.all.map(\.name).flatMap { name in all.filter { $0.name == name } }
        let further = all.filter { list in !TopListDefinition.all.contains { $0.name == list.name } }
        return known + further.sorted { ($0.name, $0.source) < ($1.name, $1.source) }
    }
}

extension SourceWindow {
    /// How far what a source reads is from the network of the agent itself.
    fileprivate enum Distance: Int, Comparable {
        /// It names the agent's own namespace.
        case own
        /// It names no namespace.
        case unnamed
        /// Only the history has it so far.
        case unknown
        /// It reads another namespace.
        case other

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    fileprivate var distance: Distance {
        guard let namespace else { return first == nil ? .unknown : .unnamed }
        return namespace.isOwn ? .own : .other
    }

    /// Whether it has reported anything that bandwidth or connections are made of.
    fileprivate var hasTraffic: Bool {
        series.keys.contains { series in
            switch series.metric {
            case .bandwidthReceive, .bandwidthTransmit, .connectionsTCP, .connectionsUDP, .connectionsRaw: true
            default: false
            }
        }
    }

    /// What a capture has seen of the bytes that the kernel has counted as received on the same interfaces.
    fileprivate func coverage(at now: MonotonicInstant) -> Snapshot.Coverage? {
        if isFiltered { return Snapshot.Coverage(ratio: nil, cause: .filter) }
        let totals = received.values.compactMap { $0.totals(at: now) }.reduce(ReceivedWindow.Totals(), +)
        guard totals.counted > 0 else {
            return inactive.isEmpty ? nil : Snapshot.Coverage(ratio: nil, cause: .interfaceGone)
        }
        return Snapshot.Coverage(ratio: totals.captured / totals.counted) {
            if (drops.total(at: now) ?? 0) > 0 { return .captureDrops }
            if totals.isAggregated { return .aggregation }
            return inactive.isEmpty ? .unexplained : .interfaceGone
        }
    }
}

extension Snapshot.DNS {
    /// Takes each figure from the log where the log has it, else from the wire, and notes from which.
    fileprivate mutating func join() {
        guard var best = log ?? wire else { return }
        let sides = [(Side.log, log), (.wire, wire)]
        func choose<Value>(
            _ figure: Figure,
            _ path: WritableKeyPath<Snapshot.DNSPart, Value>,
            _ isKnown: (Value) -> Bool
        ) {
            for (side, part) in sides {
                guard let value = part?[keyPath: path], isKnown(value) else { continue }
                best[keyPath: path] = value
                figures[figure] = side
                return
            }
        }
        choose(.rate, \.rate) { $0 != CurrentAveragePeak() }
        choose(.queries, \.queries) { $0 != nil }
        choose(.responses, \.responses) { $0 != nil }
        choose(.failures, \.failures) { $0 != nil }
        choose(.unanswered, \.unanswered) { $0 != nil }
        choose(.latency, \.latencies) { $0 != nil }
        choose(.codes, \.codes) { $0 != nil }
        best.source = (log == nil ? Side.wire : .log).rawValue
        joined = best
    }
}

extension SourceWindow {
    /// For how long the states of a walk are the current ones: walks come at least once a minute.
    private static let walkBound = Nanoseconds.seconds(150)
    /// The same for a value that has not been reported twice.
    private static let firstBound = Nanoseconds.seconds(30)

    /// A value is the current one for three intervals: one may come late, and the next one is being read.
    private func bound(_ window: SeriesWindow) -> Nanoseconds {
        guard window.held > .zero else { return Self.firstBound }
        let intervals = window.held.value.multipliedReportingOverflow(by: 3)
        return max(.seconds(1), min(self.window, Nanoseconds(intervals.overflow ? .max : intervals.partialValue)))
    }

    private func values(_ series: HistorySeries, _ now: MonotonicInstant) -> CurrentAveragePeak? {
        self.series[series].map { $0.values(at: now, within: bound($0)) }
    }

    private func current(_ series: HistorySeries, _ now: MonotonicInstant) -> Double? {
        self.series[series].flatMap { $0.current(at: now, within: bound($0)) }
    }

    /// How much of the window the best known of some series covers.
    private func covered(_ metrics: Set<HistoryMetric>, _ now: MonotonicInstant) -> Nanoseconds {
        series.filter { metrics.contains($0.key.metric) }.map { $0.value.covered(at: now) }.max() ?? .zero
    }

    private func age(_ metrics: Set<HistoryMetric>, _ now: MonotonicInstant) -> Nanoseconds? {
        series.filter { metrics.contains($0.key.metric) }.map(\.value.last).max().map { max(.zero, now.since($0)) }
    }

    fileprivate func bandwidth(_ source: String, at now: MonotonicInstant) -> Snapshot.Bandwidth? {
        let metrics: Set<HistoryMetric> = [.bandwidthReceive, .bandwidthTransmit]
        guard let age = age(metrics, now) else { return nil }
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
            var flow = series.member.map { interfaces[$0] ?? Snapshot.Flow() } ?? total ?? Snapshot.Flow()
            flow[keyPath: path] = values
            flow.covered = max(flow.covered, window.covered(at: now))
            if let name = series.member { interfaces[name] = flow } else { total = flow }
        }
        return Snapshot.Bandwidth(
            source: source, age: age, covered: total?.covered ?? covered(metrics, now), peakStep: peakStep,
            uplinks: uplinks, total: total, interfaces: interfaces,
            coverage: nil)
    }

    fileprivate func connections(_ source: String, at now: MonotonicInstant) -> Snapshot.Connections? {
        let metrics: [HistoryMetric: String] = [.connectionsTCP: "tcp", .connectionsUDP: "udp", .connectionsRaw: "raw"]
        guard let age = age(Set(metrics.keys), now) else { return nil }
        var (states, peaks): ([String: [String: Double]], [String: [String: Double]]) = ([:], [:])
        var walked: MonotonicInstant?
        for (series, window) in series {
            guard let name = metrics[series.metric], let state = series.member, ConnectionTotals.isState(state),
                let count = window.current(at: now, within: max(Self.walkBound, bound(window)))
            else { continue }
            states[name, default: [:]][state] = count
            peaks[name, default: [:]][state] = window.values(at: now, within: .zero).peak
            // As old as the oldest of them.
            walked = min(walked ?? window.last, window.last)
        }
        var protocols: [String: Double] = [:]
        let total = self.series[ConnectionTotals.series(source)]
        let values = total.map { $0.values(at: now, within: bound($0)) } ?? CurrentAveragePeak()
        protocols["tcp"] = values.current
        protocols["udp"] = current(HistorySeries(.connectionsUDP, member: "in_use", source: source), now)
        return Snapshot.Connections(
            source: source, age: age, covered: total?.covered(at: now) ?? .zero, total: values,
            statesAge: walked.map { max(.zero, now.since($0)) }, states: states, statePeaks: peaks, protocols: protocols
        )
    }

    fileprivate func dns(_ source: String, at now: MonotonicInstant) -> Snapshot.DNSPart? {
        let metrics: Set<HistoryMetric> = [.dnsQueries, .dnsResponses, .dnsFailures, .dnsUnanswered, .dnsLatency]
        // A capture sees all there is: what it has not reported did not happen. What a log does not contain may have happened.
        let none: Double? = dnsView == .wire ? 0 : nil
        guard let age = age(metrics, now) ?? (none == nil ? nil : last.map { max(.zero, now.since($0)) }) else {
            return nil
        }
        let total = { (metric: HistoryMetric) in
            series[HistorySeries(metric, source: source)]?.total(at: now).map { $0.rounded() } ?? none
        }
        var part = Snapshot.DNSPart(source: source, age: age, covered: covered(metrics, now))
        part.rate =
            values(HistorySeries(.dnsQueries, source: source), now)
            ?? CurrentAveragePeak(current: none, average: none, peak: none)
        part.queries = total(.dnsQueries)
        part.responses = total(.dnsResponses)
        part.unanswered = total(.dnsUnanswered)
        var codes: [String: Double] = [:]
        for (series, window) in series where series.metric == .dnsResponseCodes {
            guard let code = series.member, let count = window.total(at: now) else { continue }
            codes[code] = count.rounded()
        }
        // A capture sees the code of every response; a log may have none.
        part.codes = codes.isEmpty && dnsView == .log ? nil : codes
        part.failures =
            series[HistorySeries(.dnsFailures, source: source)] == nil ? failures(part) : total(.dnsFailures)
        if part.covered == .zero, none != nil { part.covered = first.map { min(self.window, now.since($0)) } ?? .zero }
        part.latencies = series[HistorySeries(.dnsLatency, source: source)]?.latencies(at: now)
        return part
    }

    /// A source that does not count failures reports codes: denial is no failure, a missing answer is one.
    private func failures(_ part: Snapshot.DNSPart) -> Double? {
        guard part.responses != nil, let unanswered = part.unanswered, let codes = part.codes else { return nil }
        let errors = codes.filter { !["noerror", "nxdomain"].contains($0.key) }
        return errors.values.reduce(unanswered, +)
    }
}

public import SondeDomain
internal import SondeFormats

/// Says how many series sources send, and how many bytes an hour that makes at each sink.
///
/// From one collection: the points of a request are those of the collection, one interval apart, in the sink's own format.
public struct EstimateDelivery {
    /// What a source sends.
    public struct Source: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// Its level; nil: it is the agent itself, which has none.
        public var level: MetricLevel?
        /// How often it collects.
        public var interval: Nanoseconds
        /// How many series it sends; nil: unknown, since its collection failed.
        public var series: Int?
        /// Whether it sends more the more there is to see.
        public var growsWithTraffic: Bool
    }

    /// What a sink sends.
    public struct Sink: Hashable, Sendable {
        /// Its id.
        public var id: String
        /// How it writes a batch; nil: its options do not say, or it is no format of points.
        public var encoding: SinkEncoding.Name?
        /// How far its batches are apart.
        public var period: Nanoseconds
        /// How many series it gets.
        public var series: Int
        /// Nil where the encoding is.
        public var bytesAnHour: Double?
    }

    private typealias Point = (series: Series, point: MetricPoint)

    private static let hour = Nanoseconds.seconds(3_600)
    // The start line and header fields of a request.
    private static let head = 250

    private let batch: Batch
    private let health: [Point]
    private let configuration: AgentConfiguration
    private let intervals: [String: Nanoseconds]

    /// What sources with this configuration have just committed, the newest of each series; `health` is what the agent sends of itself in
    /// batches of their own.
    public init(_ batch: Batch, health: [SpooledPoint] = [], _ configuration: AgentConfiguration) {
        self.batch = batch
        self.health = health.map { point in
            let value = MetricPoint(series: point.series.id, time: point.time, start: point.start, value: point.value)
            return (point.series, value)
        }
        self.configuration = configuration
        intervals = Dictionary(configuration.sources.map { ($0.id, $0.interval) }, uniquingKeysWith: min)
    }

    /// What a source sends; `isFailing`: its last collection failed.
    public func callAsFunction(
        _ source: SourceConfiguration, _ descriptor: PluginDescriptor, isFailing: Bool = false
    ) -> Source {
        let found = series(of: source.id).count
        let count = isFailing && found == 0 ? nil : found
        return Source(
            id: source.id, level: source.level, interval: source.interval, series: count,
            growsWithTraffic: !descriptor.sees.isDisjoint(with: [.wire, .log]))
    }

    /// What the agent sends of itself.
    public var agent: Source {
        Source(
            id: AgentCatalog.source, level: nil, interval: configuration.agent.interval,
            series: series(of: AgentCatalog.source).count + health.count, growsWithTraffic: false)
    }

    /// What a sink sends.
    public func callAsFunction(_ sink: SinkConfiguration, _ descriptor: PluginDescriptor) -> Sink {
        let points = batch.entries.map { (series: batch.series[$0.seriesIndex], point: $0.point) }
        let chosen = selected(of: points, for: sink)
        let health = selected(of: health, for: sink)
        let interval = chosen.map { intervals[$0.series.source] ?? configuration.agent.interval }.min()
        let period = max(
            interval ?? configuration.agent.interval,
            sink.batch.wait ?? (descriptor.delivery == .live ? .milliseconds(200) : .seconds(1)))
        let wantsPoints = sink.send?.contains(.metrics) ?? true
        let encoding = wantsPoints ? SinkEncoding(sink.options, descriptor.options) : nil
        let head = descriptor.options.contains { $0.key == "url" } ? Self.head : 0
        let bytes = encoding.map { encoding in
            func anHour(_ points: [Point], _ span: Nanoseconds) -> Double {
                guard !points.isEmpty else { return 0 }
                let size = size(of: points, span, sink, encoding) + Double(head)
                return Double(Self.hour.value) / Double(span.value) * size
            }
            return anHour(chosen, period) + anHour(health, max(period, healthPeriod))
        }
        return Sink(
            id: sink.id, encoding: encoding?.name, period: period, series: chosen.count + health.count,
            bytesAnHour: bytes)
    }

    /// How far batches are apart in which the agent says how it is.
    private var healthPeriod: Nanoseconds {
        let interval = configuration.agent.interval
        return max(interval, min(.seconds(30), Nanoseconds(interval.value * 3)))
    }

    private func series(of source: String) -> [Series] { batch.series.filter { $0.source == source } }

    /// The points that a sink gets, as it gets them.
    private func selected(of points: [Point], for sink: SinkConfiguration) -> [Point] {
        let selection = SeriesSelection(DeliverBatches.Settings(sink).selection)
        selection.beginBatch(of: points.count)
        let chosen = points.compactMap { point in
            selection.series(point.series).map { (series: $0, point: point.point) }
        }
        return Array(chosen.prefix(sink.maxSeries ?? .max))
    }

    /// The mean size of a batch: what is collected less often is in one of several.
    private func size(of points: [Point], _ period: Nanoseconds, _ sink: SinkConfiguration, _ encoding: SinkEncoding)
        -> Double
    {
        func size(of points: [Point]) -> Double { Double(encoding.size(of: batch(of: points, period, sink))) }
        let whole = size(of: points)
        let seldom = Set(points.map { span(of: $0.series) }.filter { $0 > period })
        return seldom.reduce(whole) { mean, span in
            let share = Double(period.value) / Double(span.value)
            return mean - (1 - share) * (whole - size(of: points.filter { self.span(of: $0.series) != span }))
        }
    }

    /// How far points of a series are apart.
    private func span(of series: Series) -> Nanoseconds {
        // The agent sends its own in each of its batches.
        if health.contains(where: { $0.series.id == series.id }) { return healthPeriod }
        let interval = intervals[series.source] ?? configuration.agent.interval
        return series.kind == .info ? max(interval, MetricKind.infoPeriod) : interval
    }

    /// What a sink gets in a period.
    private func batch(of points: [Point], _ period: Nanoseconds, _ sink: SinkConfiguration) -> Batch {
        let rounds = points.map { max(1, Int(clamping: period.value / max(1, span(of: $0.series).value))) }
        var entries: [Batch.Entry] = []
        // Beyond it more is as large in proportion.
        for round in 0..<min(rounds.max() ?? 0, 100) {
            for (index, (series, point)) in points.enumerated() where round < rounds[index] {
                let point = point.later(by: round, of: span(of: series))
                entries.append(Batch.Entry(seriesIndex: index, point: point))
            }
        }
        return Batch(
            identity: batch.identity, sink: sink.id, resource: batch.resource, series: points.map(\.series),
            entries: entries)
    }
}

extension MetricPoint {
    /// The same some intervals later, a count a little higher.
    fileprivate func later(by rounds: Int, of interval: Nanoseconds) -> MetricPoint {
        var point = self
        point.time = time.advanced(by: Nanoseconds(interval.value &* Int64(rounds)))
        if start != nil, case .unsigned(let count) = value, count > 0 {
            point.value = .unsigned(count &+ UInt64(rounds))
        }
        return point
    }
}

/// One series over a sliding window: its newest value, what it was on average and at its highest, and its durations.
public struct SeriesWindow: Sendable {
    private struct Bucket: Sendable {
        var index: Int64
        var latencies: LatencyCounts
    }

    // As many as the statistics have, so that both move at once.
    private static let bucketCount: Int64 = 60

    private var statistics: WindowStatistics
    private let bucketSpan: Int64
    private var buckets: [Bucket] = []
    private var newest: Double?
    /// When it was last reported, perhaps to an earlier run of the agent.
    public private(set) var last = MonotonicInstant(nanoseconds: .min)
    /// How long its newest value held.
    public private(set) var held = Nanoseconds.zero

    /// A series without readings.
    public init(window: Nanoseconds) {
        statistics = WindowStatistics(window: window)
        bucketSpan = max(1, window.value / Self.bucketCount)
    }

    /// Takes a reading; `step`: how long the time was that its peak is the average of.
    public mutating func add(
        _ observation: HistoryObservation, step: Nanoseconds? = nil, at now: MonotonicInstant
    ) {
        (last, held) = (now, observation.held)
        switch observation.value {
        case .held(let value, let peak):
            newest = value
            // A first reading has held for no known time: it counts for a moment, so that average and peak exist.
            let span = observation.held > .zero ? observation.held : .milliseconds(1)
            // A value that no peak exceeds is the highest of the time that it held.
            let step = (peak ?? value) > value ? step : observation.held > .zero ? observation.held : nil
            statistics.add(value, held: span, highest: peak, step: step, at: now)
        case .events(let latencies, let mean):
            newest = mean
            add(latencies, at: now)
        }
    }

    /// Takes what history has kept of a stretch that ended then; it does not make a value the current one.
    public mutating func restore(_ point: HistoryPoint, at end: MonotonicInstant) {
        last = max(last, end)
        if let latencies = point.latencies { return add(latencies, at: end) }
        let highest = max(point.maximum, point.peak ?? point.maximum)
        let held = Nanoseconds(Int64(clamping: point.weight)) * 1_000
        // History does not keep how long the time of a peak was.
        let step = highest > point.average ? nil : held
        statistics.add(point.average, held: held, highest: highest, step: step, at: end)
    }

    private mutating func add(_ latencies: LatencyCounts, at time: MonotonicInstant) {
        let index = time.nanoseconds / bucketSpan
        let newest = max(index, buckets.map(\.index).max() ?? index)
        buckets.removeAll { newest &- $0.index >= Self.bucketCount }
        guard newest &- index < Self.bucketCount else { return }
        if let place = buckets.firstIndex(where: { $0.index == index }) {
            buckets[place].latencies = buckets[place].latencies.merging(latencies)
        } else {
            buckets.append(Bucket(index: index, latencies: latencies))
        }
    }

    /// The newest value, when it is not older than `bound`.
    public func current(at now: MonotonicInstant, within bound: Nanoseconds) -> Double? {
        now.since(last) <= bound ? newest : nil
    }

    /// The newest value, the average and the peak.
    public func values(at now: MonotonicInstant, within bound: Nanoseconds) -> CurrentAveragePeak {
        CurrentAveragePeak(
            current: current(at: now, within: bound), average: statistics.average(at: now),
            peak: statistics.peak(at: now), peakStep: statistics.peakStep(at: now))
    }

    /// For how much of the window its value is known.
    public func covered(at now: MonotonicInstant) -> Nanoseconds { statistics.covered(at: now) }

    /// Of a rate, how much it was in the window in all.
    public func total(at now: MonotonicInstant) -> Double? { statistics.total(at: now) }

    /// All durations in the window; nil: there was none.
    public func latencies(at now: MonotonicInstant) -> LatencyCounts? {
        let index = now.nanoseconds / bucketSpan
        let live = buckets.filter { index &- $0.index < Self.bucketCount }
        guard let first = live.first else { return nil }
        return live.dropFirst().reduce(first.latencies) { $0.merging($1.latencies) }
    }
}

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
    /// When it was last told.
    public private(set) var last = MonotonicInstant(nanoseconds: 0)
    /// How long its newest value held.
    public private(set) var held = Nanoseconds.zero

    /// A series of which nothing was read.
    public init(window: Nanoseconds) {
        statistics = WindowStatistics(window: window)
        bucketSpan = max(1, window.value / Self.bucketCount)
    }

    /// Takes a reading.
    public mutating func add(_ observation: HistoryObservation, at now: MonotonicInstant) {
        (last, held) = (now, observation.held)
        switch observation.value {
        case .held(let value, let peak):
            newest = value
            // A first reading has held for no known time: it counts for a moment, so that average and peak exist.
            let span = observation.held > .zero ? observation.held : .milliseconds(1)
            statistics.add(value, held: span, highest: peak, at: now)
        case .events(let latencies, let mean):
            newest = mean
            let index = max(0, now.nanoseconds) / bucketSpan
            buckets.removeAll { $0.index <= index - Self.bucketCount }
            if let place = buckets.firstIndex(where: { $0.index == index }) {
                buckets[place].latencies = buckets[place].latencies.merging(latencies)
            } else {
                buckets.append(Bucket(index: index, latencies: latencies))
            }
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
            peak: statistics.peak(at: now))
    }

    /// The average over the window.
    public func average(at now: MonotonicInstant) -> Double? { statistics.average(at: now) }

    /// Of a rate, how much it was in the window in all.
    public func total(at now: MonotonicInstant) -> Double? { statistics.total(at: now) }

    /// All durations in the window; nil: there was none.
    public func latencies(at now: MonotonicInstant) -> LatencyCounts? {
        let oldest = max(0, now.nanoseconds) / bucketSpan - Self.bucketCount
        let live = buckets.filter { $0.index > oldest }
        guard let first = live.first else { return nil }
        return live.dropFirst().reduce(first.latencies) { $0.merging($1.latencies) }
    }
}

/// Makes readings of history out of what one source commits: adds up what belongs together, with the time that it covers.
///
/// Bounded by the series that are open. Feed it every contribution of a commit, then take the readings once.
public struct HistoryCollector: Sendable {
    /// A reading and where it belongs.
    public struct Reading: Hashable, Sendable {
        /// The series.
        public var series: HistorySeries
        /// Whether it is always wanted.
        public var rank: HistoryContribution.Rank
        /// The reading.
        public var observation: HistoryObservation

        /// A reading.
        public init(
            series: HistorySeries,
            rank: HistoryContribution.Rank,
            observation: HistoryObservation
        ) {
            self.series = series
            self.rank = rank
            self.observation = observation
        }
    }

    private struct Sum: Sendable {
        var rank: HistoryContribution.Rank
        var value: Double?
        var peak: Double?
        var latencies: LatencyCounts?
        var seconds = 0.0
        /// How long it took according to the counters.
        var elapsed = Nanoseconds.zero
    }

    private static let silentLeast = 256

    /// What is known of the time before a histogram's first reading.
    public enum HistogramOrigin: Hashable, Sendable {
        /// Nothing: it may have counted for long.
        case unknown
        /// It counted nothing.
        case zero
    }

    private struct Cumulative: Sendable {
        var counts: [UInt64]
        var seconds: Double?

        init(counts: [UInt64], seconds: Double?) {
            self.counts = counts
            self.seconds = seconds
        }

        init(zero count: Int) {
            self.init(counts: Array(repeating: 0, count: count), seconds: 0)
        }
    }

    private var sums: [HistorySeries: Sum] = [:]
    private var lastTime: [HistorySeries: MonotonicInstant] = [:]
    private var silentBound = Self.silentLeast
    private var histograms: [SeriesID: Cumulative] = [:]
    private var connections = ConnectionTotals()

    /// Nothing was read yet.
    public init() {}

    /// Takes the verdict on a counter's reading.
    public mutating func add(_ contribution: HistoryContribution, _ reading: CounterTracker.Reading) {
        guard let rate = reading.rate else { return }
        change(contribution) { sum in
            sum.value = (sum.value ?? 0) + rate
            sum.elapsed = max(sum.elapsed, reading.elapsed)
        }
    }

    /// Takes a value, or a peak.
    public mutating func add(_ contribution: HistoryContribution, value: Double) {
        guard value.isFinite else { return }
        change(contribution) { sum in
            switch contribution.part {
            case .value: sum.value = (sum.value ?? 0) + value
            // The peaks of parts need not have been at once; their sum would claim it.
            case .peak: sum.peak = max(sum.peak ?? value, value)
            case .rate, .durations: return
            }
        }
    }

    /// Takes a cumulative histogram: what it has grown by since the reading before.
    ///
    /// One without the bounds of ``LatencyCounts/bounds`` is left out, and so is the first one and the first after a reset; what
    /// exceeds the last of them is one count.
    /// With `origin` the first one is new from zero on: it began with the agent.
    public mutating func add(
        _ contribution: HistoryContribution,
        _ histogram: HistogramValue,
        of series: SeriesID,
        from origin: HistogramOrigin = .unknown
    ) {
        guard histogram.bounds.starts(with: LatencyCounts.bounds) else { return }
        let kept = LatencyCounts.bounds.count
        let counts = Array(histogram.counts[..<kept]) + [histogram.counts[kept...].reduce(0, &+)]
        let known = histograms.updateValue(
            Cumulative(counts: counts, seconds: histogram.sum), forKey: series)
        let before = known ?? (origin == .zero ? Cumulative(zero: counts.count) : nil)
        guard let before, let events = Self.grown(from: before.counts, to: counts) else { return }
        guard let from = before.seconds, let to = histogram.sum, to >= from else { return }
        change(contribution) { sum in
            sum.latencies = sum.latencies?.merging(events) ?? events
            sum.seconds += to - from
        }
    }

    /// Forgets a series that is closed.
    public mutating func forget(_ series: SeriesID) {
        histograms[series] = nil
    }

    /// The readings of the commit that ends here, with their totals.
    public mutating func take(time: Timestamp, at now: MonotonicInstant) -> [Reading] {
        defer {
            sums.removeAll(keepingCapacity: true)
            forgetSilent(at: now)
        }
        var readings = sums.compactMap { series, sum -> Reading? in
            let silence = lastTime.updateValue(now, forKey: series).map { now.since($0) } ?? .zero
            let held = sum.elapsed > .zero ? sum.elapsed : Self.held(after: silence)
            return Self.value(sum).map {
                Reading(
                    series: series, rank: sum.rank, observation: HistoryObservation($0, at: time, held: held))
            }
        }
        if let total = connections.reading(of: readings, at: now) { readings.append(total) }
        return readings
    }

    /// A value that comes back after longer than a reading covers was not known meanwhile, even if it is the same now.
    private static func held(after silence: Nanoseconds) -> Nanoseconds {
        silence <= HistoryObservation.longestHeld ? silence : .zero
    }

    /// The end of a series is not reported here; one without a reading for longer than a reading covers has ended.
    private mutating func forgetSilent(at now: MonotonicInstant) {
        guard lastTime.count > silentBound else { return }
        lastTime = lastTime.filter { now.since($0.value) <= HistoryObservation.longestHeld }
        silentBound = max(Self.silentLeast, 2 * lastTime.count)
    }

    private mutating func change(_ contribution: HistoryContribution, _ body: (inout Sum) -> Void) {
        body(&sums[contribution.series, default: Sum(rank: contribution.rank)])
    }

    private static func value(_ sum: Sum) -> HistoryObservation.Value? {
        if let latencies = sum.latencies, latencies.total > 0 {
            return .events(latencies, mean: sum.seconds / Double(latencies.total))
        }
        return sum.value.map { .held($0, peak: sum.peak) }
    }

    private static func grown(from old: [UInt64], to new: [UInt64]) -> LatencyCounts? {
        guard old.count == new.count, zip(old, new).allSatisfy({ $0 <= $1 }) else { return nil }
        return LatencyCounts(counts: zip(old, new).map { UInt32(clamping: $1 &- $0) })
    }
}

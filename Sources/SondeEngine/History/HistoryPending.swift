public import SondeDomain

/// Steps that wait to be written: bounded, the oldest are dropped.
public struct HistoryPending: Sendable {
    /// How many steps of a series wait at most: an hour.
    public static let seriesBound = 720
    /// How many steps wait in all.
    public static let bound = 20_000
    /// How many series that have no room in the store yet may wait.
    public static let newcomerBound = 128

    private struct Waiting {
        var rank: HistoryContribution.Rank
        var steps: HistorySteps
    }

    private var series: [HistorySeries: Waiting] = [:]
    private var newcomers = 0
    private var total = 0
    /// How many steps were dropped, and readings refused because too many new series came at once.
    public private(set) var dropped: UInt64 = 0

    /// Nothing waits.
    public init() {}

    /// Whether nothing waits.
    public var isEmpty: Bool { series.isEmpty }

    /// What waits, series that are always wanted first.
    public var additions: [HistoryAddition] {
        series.map { HistoryAddition($0.key, rank: $0.value.rank, $0.value.steps) }
            .sorted { ($0.rank.rawValue, $0.series) < ($1.rank.rawValue, $1.series) }
    }

    /// The series that have steps waiting.
    public var all: Set<HistorySeries> { Set(series.keys) }

    /// The steps of a series that wait.
    public func steps(of series: HistorySeries) -> HistorySteps { self.series[series]?.steps ?? HistorySteps() }

    /// Adds a reading; `isKept`: the store has room for its series.
    public mutating func add(_ reading: HistoryCollector.Reading, isKept: Bool) {
        if series[reading.series] == nil, !isKept {
            guard newcomers < Self.newcomerBound else {
                dropped &+= 1
                return
            }
            newcomers += 1
        }
        change(reading.series, reading.rank) { steps in
            _ = reading.observation.add(to: &steps)
        }
    }

    /// Appends what came later to what waits.
    public mutating func merge(_ later: HistoryPending) {
        for (key, waiting) in later.series { change(key, waiting.rank) { $0.merge(waiting.steps) } }
        newcomers += later.newcomers
        dropped &+= later.dropped
    }

    private mutating func change(
        _ key: HistorySeries,
        _ rank: HistoryContribution.Rank,
        _ body: (inout HistorySteps) -> Void
    ) {
        var waiting = series.removeValue(forKey: key) ?? Waiting(rank: rank, steps: HistorySteps())
        total -= waiting.steps.count
        waiting.rank = rank
        body(&waiting.steps)
        dropped &+= UInt64(waiting.steps.keepNewest(Self.seriesBound))
        total += waiting.steps.count
        if waiting.steps.count > 0 { series[key] = waiting }
        if total > Self.bound { shorten() }
    }

    /// Makes room for a tenth, so that it is not done at every reading.
    private mutating func shorten() {
        let each = max(1, Self.bound * 9 / 10 / max(1, series.count))
        for key in series.keys {
            guard var steps = series[key]?.steps else { continue }
            let gone = steps.keepNewest(each)
            series[key]?.steps = steps
            dropped &+= UInt64(gone)
            total -= gone
        }
    }
}

internal import SondeDomain

/// Takes out of a sink's batches what is too old for its receiver, and series beyond its bound.
///
/// Used from the sink's thread.
struct BatchBounds {
    private let sink: String
    private let maxAge: Nanoseconds?
    private let maxSeries: Int?
    private var admitted: Set<SeriesID> = []

    /// Bounds as configured.
    init(_ settings: DeliverBatches.Settings) {
        sink = settings.id
        maxAge = settings.maxSampleAge
        maxSeries = settings.maxSeries
    }

    /// A batch without what is beyond the bounds at `time`, and what was taken out.
    mutating func apply(to batch: Batch, at time: Timestamp) -> (batch: Batch, losses: [Loss]) {
        guard maxAge != nil || maxSeries != nil else { return (batch, []) }
        let oldest = maxAge.flatMap { time.nanoseconds.subtractingOverflowing($0.value) } ?? .min
        var old = Loss(.tooOldForSink, component: sink, count: 0)
        var beyond = Loss(.sinkSeriesLimit, component: sink, count: 0)
        let isAdmitted = batch.series.map { admit($0.id) }
        let entries = batch.entries.filter { entry in
            if entry.point.time.nanoseconds < oldest {
                old.add(entry.point.time)
                return false
            }
            if isAdmitted[entry.seriesIndex] { return true }
            beyond.add(entry.point.time)
            return false
        }
        let losses = [old, beyond].filter { $0.count != 0 }
        guard !losses.isEmpty else { return (batch, []) }
        return (batch.with(entries), losses)
    }

    /// Makes room for other series where some have ended, also for a sink that is sent no ends.
    mutating func release(endedIn points: SpooledPoints) {
        guard maxSeries != nil, points.endCount > 0 else { return }
        for entry in points.entries where entry.point.value.isEnd { admitted.remove(entry.point.series) }
    }

    private mutating func admit(_ series: SeriesID) -> Bool {
        guard let maxSeries, !admitted.contains(series) else { return true }
        guard admitted.count < maxSeries else { return false }
        admitted.insert(series)
        return true
    }
}

extension Loss {
    /// Counts one more, of that time.
    fileprivate mutating func add(_ time: Timestamp) {
        count = (count ?? 0) &+ 1
        from = min(from ?? time, time)
        to = max(to ?? time, time)
    }
}

extension Int64 {
    /// The difference; nil where it overflows.
    fileprivate func subtractingOverflowing(_ other: Int64) -> Int64? {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? nil : difference
    }
}

extension Batch {
    /// The same stretch with these entries, and only the series that they name.
    fileprivate func with(_ entries: [Entry]) -> Batch {
        var places: [Int: Int] = [:]
        var named: [Series] = []
        let kept = entries.map { entry in
            let place = places[entry.seriesIndex] ?? named.count
            if place == named.count {
                places[entry.seriesIndex] = place
                named.append(series[entry.seriesIndex])
            }
            return Entry(seriesIndex: place, point: entry.point)
        }
        return Batch(
            identity: identity, sink: sink, attempt: attempt, resource: resource, series: named, entries: kept,
            documents: documents)
    }
}

public import SondeDomain

/// Makes the counters and histograms of batches differences to what a receiver had before, for receivers that take no totals.
///
/// What a series is compared to moves on when a request is acknowledged: one that is offered again has the same differences.
/// Kept in memory only. A point with nothing to be compared to is whole where its series began after this was made, and else
/// left out: what it counts may be there already.
public struct OTLPDeltas {
    /// A point of a series that the receiver has.
    private struct Known {
        let value: SampleValue
        let start: Timestamp?
        let time: Timestamp
    }

    /// What a request in hand does to a series.
    private enum Change {
        case last(Known)
        case ended
    }

    // Beyond it all is forgotten, and the next point of each series left out.
    private static let bound = 200_000

    private let began: Timestamp
    private var acknowledged: [SeriesID: Known] = [:]
    private var changes: [SeriesID: Change] = [:]

    /// Nothing is known yet; no series that began before `began` has a first difference.
    public init(since began: Timestamp) {
        self.began = began
    }

    /// The batch with differences in place of totals, and how many points were left out.
    ///
    /// It is the request in hand until the next.
    public mutating func differences(in batch: Batch) -> (batch: Batch, leftOut: Int) {
        changes.removeAll(keepingCapacity: true)
        if acknowledged.count > Self.bound { acknowledged.removeAll() }
        var entries: [Batch.Entry] = []
        entries.reserveCapacity(batch.entries.count)
        for entry in batch.entries {
            guard batch.series.indices.contains(entry.seriesIndex),
                [.counter, .histogram].contains(batch.series[entry.seriesIndex].kind)
            else {
                entries.append(entry)
                continue
            }
            guard let point = difference(entry.point, of: batch.series[entry.seriesIndex].id) else { continue }
            entries.append(Batch.Entry(seriesIndex: entry.seriesIndex, point: point))
        }
        let result = Batch(
            identity: batch.identity, sink: batch.sink, attempt: batch.attempt, resource: batch.resource,
            series: batch.series, entries: entries, documents: batch.documents)
        return (result, batch.entries.count - entries.count)
    }

    /// The receiver has the request in hand.
    public mutating func acknowledge() {
        for (series, change) in changes {
            switch change {
            case .last(let point): acknowledged[series] = point
            case .ended: acknowledged[series] = nil
            }
        }
        changes.removeAll(keepingCapacity: true)
    }

    private func before(_ series: SeriesID) -> Known? {
        switch changes[series] {
        case .last(let known): known
        case .ended: nil
        case nil: acknowledged[series]
        }
    }

    /// Nil: it is left out.
    private mutating func difference(_ point: MetricPoint, of series: SeriesID) -> MetricPoint? {
        if case .ended = point.value {
            changes[series] = .ended
            return point
        }
        let before = before(series)
        // What was set aside and is replayed is in the difference that came after it.
        if let before, point.time <= before.time { return nil }
        let known = Known(value: point.value, start: point.start, time: point.time)
        guard let before else {
            // A start at the point's own time is that of a counter whose start is not known.
            guard let start = point.start, start >= began, start < point.time else {
                // Whatever becomes of the request, the receiver does not get it.
                acknowledged[series] = known
                return nil
            }
            changes[series] = .last(known)
            return point
        }
        changes[series] = .last(known)
        if before.start == point.start, let value = point.value.difference(from: before.value) {
            return MetricPoint(series: series, time: point.time, start: before.time, value: value)
        }
        // It has begun anew: all of it has come since.
        let start = point.start.flatMap { $0 > before.time && $0 < point.time ? $0 : nil } ?? before.time
        return MetricPoint(series: series, time: point.time, start: start, value: point.value)
    }
}

extension SampleValue {
    /// How much a total has grown; nil: it has not, or is of another form.
    fileprivate func difference(from before: SampleValue) -> SampleValue? {
        switch (before, self) {
        case (.unsigned(let old), .unsigned(let new)): new >= old ? .unsigned(new - old) : nil
        case (.histogram(let old), .histogram(let new)): new.difference(from: old).map(SampleValue.histogram)
        case (.histogram, _), (_, .histogram), (.ended, _), (_, .ended): nil
        default:
            asDouble.flatMap { new in
                before.asDouble.flatMap { old in new >= old ? .double(new - old) : nil }
            }
        }
    }
}

extension HistogramValue {
    fileprivate func difference(from before: HistogramValue) -> HistogramValue? {
        guard bounds == before.bounds, counts.count == before.counts.count,
            zip(counts, before.counts).allSatisfy({ $0 >= $1 })
        else { return nil }
        let sum = sum.flatMap { new in before.sum.map { new - $0 } }
        return HistogramValue(bounds: bounds, counts: zip(counts, before.counts).map { $0 - $1 }, sum: sum)
    }
}

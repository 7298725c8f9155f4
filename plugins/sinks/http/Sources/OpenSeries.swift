internal import SondeDomain

/// The series that the receiver has taken and that have not ended, for a sink that ends them with the agent.
///
/// Bounded; a series beyond the bound is not ended.
struct OpenSeries {
    private struct Known {
        let series: Series
        var last: Timestamp
    }

    private let bound: Int
    private var known: [SeriesID: Known] = [:]
    private var newest: Batch?

    /// None yet, and never more than `bound`.
    init(bound: Int = 100_000) {
        self.bound = bound
    }

    /// Takes a batch that was delivered.
    mutating func take(_ batch: Batch) {
        for entry in batch.entries where batch.series.indices.contains(entry.seriesIndex) {
            let series = batch.series[entry.seriesIndex]
            let point = entry.point
            if case .ended = point.value {
                known[series.id] = nil
            } else if let last = known[series.id]?.last {
                known[series.id]?.last = max(last, point.time)
            } else if known.count < bound {
                known[series.id] = Known(series: series, last: point.time)
            }
        }
        newest = Batch(identity: batch.identity, sink: batch.sink, resource: batch.resource)
    }

    /// A batch with the end of each, at `time`, or a millisecond after its last point where that is not before `time`; nil: there is
    /// none.
    func ends(at time: Timestamp) -> Batch? {
        guard let newest, !known.isEmpty else { return nil }
        let ended = known.values.sorted { $0.series.id.rawValue < $1.series.id.rawValue }
        // No stretch of the log: it follows the last one, so that encoders take it for another request.
        let first = newest.identity.last &+ 1
        return Batch(
            identity: BatchIdentity(
                agent: newest.identity.agent, epoch: newest.identity.epoch, first: first,
                last: first &+ UInt64(ended.count) &- 1),
            sink: newest.sink, resource: newest.resource, series: ended.map(\.series),
            entries: ended.enumerated().map { index, known in
                // Receivers keep milliseconds, and one value for each.
                let end = max(time, known.last.advanced(by: .milliseconds(1)))
                return Batch.Entry(
                    seriesIndex: index, point: MetricPoint(series: known.series.id, time: end, value: .ended))
            })
    }

    /// The two halves of a batch of ends that is too large for the receiver; nil: it has one series.
    static func halves(of ends: Batch) -> (Batch, Batch)? {
        guard ends.series.count > 1 else { return nil }
        let middle = ends.series.count / 2
        return (part(0..<middle, of: ends), part(middle..<ends.series.count, of: ends))
    }

    private static func part(_ range: Range<Int>, of ends: Batch) -> Batch {
        let first = ends.identity.first &+ UInt64(range.lowerBound)
        return Batch(
            identity: BatchIdentity(
                agent: ends.identity.agent, epoch: ends.identity.epoch, first: first,
                last: first &+ UInt64(range.count) &- 1),
            sink: ends.sink, resource: ends.resource, series: Array(ends.series[range]),
            entries: ends.entries[range].map {
                Batch.Entry(seriesIndex: $0.seriesIndex - range.lowerBound, point: $0.point)
            })
    }
}

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
        let place = newest.identity.last &+ 1
        return Batch(
            identity: BatchIdentity(
                agent: newest.identity.agent, epoch: newest.identity.epoch, first: place, last: place),
            sink: newest.sink, resource: newest.resource, series: ended.map(\.series),
            entries: ended.enumerated().map { index, known in
                // Receivers keep milliseconds, and one value for each.
                let end = max(time, known.last.advanced(by: .milliseconds(1)))
                return Batch.Entry(
                    seriesIndex: index, point: MetricPoint(series: known.series.id, time: end, value: .ended))
            })
    }
}

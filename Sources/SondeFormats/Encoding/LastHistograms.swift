internal import SondeDomain

/// The last histogram of each series: the end of one has to name its buckets, or receivers that keep a series per bucket do not
/// end them.
///
/// A request that is offered again finds what it found the first time, so that its body is the same bytes.
struct LastHistograms {
    private struct Known {
        /// The first point of the request in hand.
        var request: UInt64
        /// The last one of the requests before it.
        var before: HistogramValue?
        var last: HistogramValue
    }

    // More than an agent has; beyond it, ends are without buckets.
    private static let bound = 10_000

    private var known: [SeriesID: Known] = [:]
    private var request: UInt64 = 0

    /// Begins a request.
    mutating func begin(_ batch: Batch) {
        guard request != batch.identity.first else { return }
        request = batch.identity.first
        if known.count > Self.bound { known.removeAll() }
    }

    /// The last histogram of the requests before the one in hand.
    func before(_ series: SeriesID) -> HistogramValue? {
        guard let entry = known[series] else { return nil }
        return entry.request == request ? entry.before : entry.last
    }

    /// Takes the last one that the request in hand has of a series.
    mutating func take(_ value: HistogramValue, of series: SeriesID) {
        let before = before(series)
        known[series] = Known(request: request, before: before, last: value)
    }
}

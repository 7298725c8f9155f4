/// Average and peak of a value over a sliding window, in a fixed number of buckets.
///
/// The average is weighted by how long each value held; the peak is the largest value seen. Both are nil when the
/// window holds nothing. Monotonic time only.
public struct WindowStatistics: Sendable {
    private struct Bucket: Sendable {
        var index: Int64 = -1
        // In value times nanoseconds: whole values stay exact, so that one that never changed is its own average.
        var weighted = 0.0
        var nanoseconds = 0.0
        var peak = 0.0
    }

    private static let bucketCount = 60
    private var buckets: [Bucket]
    private let bucketSpan: Int64

    /// Statistics over `window`, which moves in steps of a sixtieth.
    public init(window: Nanoseconds) {
        bucketSpan = max(1, window.value / Int64(Self.bucketCount))
        buckets = Array(repeating: Bucket(), count: Self.bucketCount)
    }

    /// Adds a value that held for `span` up to `time`, and was at most `highest` within it.
    ///
    /// Values that are not finite are left out.
    public mutating func add(
        _ value: Double,
        held span: Nanoseconds,
        highest: Double? = nil,
        at time: MonotonicInstant
    ) {
        guard value.isFinite, span.value > 0, time.nanoseconds >= 0 else { return }
        let index = time.nanoseconds / bucketSpan
        let slot = Int(index % Int64(Self.bucketCount))
        let peak = highest.flatMap { $0.isFinite ? max($0, value) : nil } ?? value
        if buckets[slot].index != index { buckets[slot] = Bucket(index: index, peak: peak) }
        buckets[slot].weighted += value * Double(span.value)
        buckets[slot].nanoseconds += Double(span.value)
        buckets[slot].peak = max(buckets[slot].peak, peak)
    }

    /// The average over the window that ends at `time`.
    public func average(at time: MonotonicInstant) -> Double? {
        var weighted = 0.0
        var nanoseconds = 0.0
        for bucket in live(at: time) {
            weighted += bucket.weighted
            nanoseconds += bucket.nanoseconds
        }
        let average = weighted / nanoseconds
        return nanoseconds > 0 && average.isFinite ? average : nil
    }

    /// Values times how long they held, in seconds, over the window that ends at `time`: of a rate, how much it was in all.
    public func total(at time: MonotonicInstant) -> Double? {
        let live = live(at: time)
        guard live.contains(where: { $0.nanoseconds > 0 }) else { return nil }
        return live.reduce(0) { $0 + $1.weighted } / 1e9
    }

    /// The largest value in the window that ends at `time`.
    public func peak(at time: MonotonicInstant) -> Double? {
        live(at: time).map(\.peak).max()
    }

    private func live(at time: MonotonicInstant) -> some Sequence<Bucket> {
        let oldest = max(0, time.nanoseconds) / bucketSpan - Int64(Self.bucketCount) + 1
        return buckets.lazy.filter { $0.index >= max(0, oldest) }
    }
}

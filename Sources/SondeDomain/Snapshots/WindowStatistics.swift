/// Average and peak of a value over a sliding window, in a fixed number of buckets.
///
/// The average is weighted by how long each value held; the peak is the largest value seen. Both are nil when the
/// window holds nothing. Monotonic time only.
public struct WindowStatistics: Sendable {
    private struct Bucket: Sendable {
        var index = Int64.min
        // In value times nanoseconds: whole values stay exact, so that one that never changed is its own average.
        var weighted = 0.0
        var nanoseconds = 0.0
        var peak = 0.0
    }

    private static let bucketCount = 60
    private var buckets: [Bucket]
    /// What the peak of each bucket is the average of, in milliseconds.
    ///
    /// 0: not known. Not a member of the bucket, where it would take eight bytes for its four; empty until one is known.
    private var peakSteps: [UInt32] = []
    private let bucketSpan: Int64

    /// Statistics over `window`, which moves in steps of a sixtieth.
    public init(window: Nanoseconds) {
        bucketSpan = max(1, window.value / Int64(Self.bucketCount))
        buckets = Array(repeating: Bucket(), count: Self.bucketCount)
    }

    /// Adds a value that held for `span` up to `time`, and was at most `highest` within it, which is the average of a `step`.
    ///
    /// Values that are not finite are left out, and so is what is older than the window of what came already.
    public mutating func add(
        _ value: Double,
        held span: Nanoseconds,
        highest: Double? = nil,
        step: Nanoseconds? = nil,
        at time: MonotonicInstant
    ) {
        guard value.isFinite, span.value > 0 else { return }
        let index = index(of: time)
        let slot = slot(of: index)
        guard buckets[slot].index <= index else { return }
        let peak = highest.flatMap { $0.isFinite ? max($0, value) : nil } ?? value
        if buckets[slot].index != index {
            buckets[slot] = Bucket(index: index, peak: peak)
            note(step, slot)
        }
        buckets[slot].weighted += value * Double(span.value)
        buckets[slot].nanoseconds += Double(span.value)
        if peak > buckets[slot].peak {
            buckets[slot].peak = peak
            note(step, slot)
        }
    }

    private mutating func note(_ step: Nanoseconds?, _ slot: Int) {
        if peakSteps.isEmpty {
            guard step != nil else { return }
            peakSteps = Array(repeating: 0, count: Self.bucketCount)
        }
        peakSteps[slot] = step.map { UInt32(clamping: $0.value / 1_000_000) } ?? 0
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

    /// For how much of the window that ends at `time` values are known.
    public func covered(at time: MonotonicInstant) -> Nanoseconds {
        let sum = live(at: time).reduce(0) { $0 + $1.nanoseconds }
        let window = bucketSpan.multipliedReportingOverflow(by: Int64(Self.bucketCount))
        let most = window.overflow ? Int64.max : window.partialValue
        return Nanoseconds(sum < Double(most) ? Int64(sum) : most)
    }

    /// The largest value in the window that ends at `time`.
    public func peak(at time: MonotonicInstant) -> Double? {
        highest(at: time)?.peak
    }

    /// How long the time was that the largest value is the average of; nil: not known.
    public func peakStep(at time: MonotonicInstant) -> Nanoseconds? {
        guard !peakSteps.isEmpty, let highest = highest(at: time) else { return nil }
        let step = Int64(peakSteps[slot(of: highest.index)])
        return step > 0 ? .milliseconds(step) : nil
    }

    private func highest(at time: MonotonicInstant) -> Bucket? {
        var highest: Bucket?
        for bucket in live(at: time) where bucket.peak > highest?.peak ?? -.infinity { highest = bucket }
        return highest
    }

    private func live(at time: MonotonicInstant) -> some Sequence<Bucket> {
        let (oldest, overflow) = index(of: time).subtractingReportingOverflow(Int64(Self.bucketCount - 1))
        return buckets.lazy.filter { $0.index != .min && (overflow || $0.index >= oldest) }
    }

    private func slot(of index: Int64) -> Int {
        Int(index &- Self.quotient(index, Int64(Self.bucketCount)) &* Int64(Self.bucketCount))
    }

    /// Also before the clock began: what an agent has left may be older than the host is up.
    private func index(of time: MonotonicInstant) -> Int64 { Self.quotient(time.nanoseconds, bucketSpan) }

    private static func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient &- 1 : quotient
    }
}

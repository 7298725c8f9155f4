/// The second with the most bytes, counted from the first packet.
///
/// Packets may be out of order by up to ``span`` seconds; one that is later still is left out of the peak.
struct PeakSecond {
    static let span = 1_024

    private var buckets = [UInt64](repeating: 0, count: span)
    private var origin: Int64?
    private var newest: Int64 = 0
    /// Bytes of the busiest second so far; nil without a packet that has a time.
    private(set) var bytes: UInt64?

    /// Counts a packet of `length` bytes at `time`, in nanoseconds.
    mutating func add(_ length: UInt32, at time: Int64) {
        let origin = self.origin ?? time
        self.origin = origin
        let (distance, overflow) = time.subtractingReportingOverflow(origin)
        guard !overflow else { return }
        let second = distance >= 0 ? distance / 1_000_000_000 : -1 - (-1 - distance) / 1_000_000_000
        if second > newest { advance(to: second) }
        guard newest - second < Int64(Self.span) else { return }
        let bucket = Int(second & Int64(Self.span - 1))
        buckets[bucket] &+= UInt64(length)
        bytes = max(bytes ?? 0, buckets[bucket])
    }

    private mutating func advance(to second: Int64) {
        let first = max(newest + 1, second - Int64(Self.span) + 1)
        for passed in first...second { buckets[Int(passed & Int64(Self.span - 1))] = 0 }
        newest = second
    }
}

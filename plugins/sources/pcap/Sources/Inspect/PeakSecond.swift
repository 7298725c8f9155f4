/// The second with the most bytes, counted from the first packet.
///
/// Packets may be out of order by up to ``span`` seconds; one that is later still is left out of the peak.
struct PeakSecond {
    static let span = 1_024

    private var buckets = [UInt64](repeating: 0, count: span)
    private var origin: Int64?
    private var newest: Int64 = 0
    /// The second that is counted, its first nanosecond, and its bytes so far.
    private var second: Int64 = 0
    private var start: Int64 = 0
    private var sum: UInt64 = 0
    /// How long that second is, in nanoseconds: 0 when no second is counted.
    private var length: UInt64 = 0
    private var highest: UInt64 = 0

    /// Counts a packet of `length` bytes at `time`, in nanoseconds.
    @inline(__always)
    mutating func add(_ length: UInt32, at time: Int64) {
        // Most packets fall into the second of the one before; `UInt64` makes two comparisons one.
        if UInt64(bitPattern: time &- start) < self.length {
            sum &+= UInt64(length)
        } else {
            move(to: time, length)
        }
    }

    /// Bytes of the busiest second so far; nil without a packet that has a time.
    var bytes: UInt64? {
        origin == nil ? nil : max(highest, sum)
    }

    @inline(never)
    private mutating func move(to time: Int64, _ length: UInt32) {
        let origin = self.origin ?? time
        if self.origin != nil { leave() }
        self.origin = origin
        let (distance, overflow) = time.subtractingReportingOverflow(origin)
        guard !overflow else { return pass() }
        second = distance >= 0 ? distance / 1_000_000_000 : -1 - (-1 - distance) / 1_000_000_000
        if second > newest { advance(to: second) }
        guard newest - second < Int64(Self.span) else { return pass() }
        start = origin &+ second &* 1_000_000_000
        sum = buckets[bucket] &+ UInt64(length)
        self.length = 1_000_000_000
    }

    /// Keeps the sum of the second that was counted last.
    private mutating func leave() {
        highest = max(highest, sum)
        if length > 0 { buckets[bucket] = sum }
    }

    /// Leaves the packet out; the next packet's second is computed again.
    private mutating func pass() {
        length = 0
        sum = 0
    }

    private var bucket: Int { Int(second & Int64(Self.span - 1)) }

    private mutating func advance(to second: Int64) {
        let first = max(newest + 1, second - Int64(Self.span) + 1)
        for passed in first...second { buckets[Int(passed & Int64(Self.span - 1))] = 0 }
        newest = second
    }
}

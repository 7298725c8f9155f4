/// How often values of each size occurred, in bounded memory: every bucket is a sixteenth of a power of two wide, so that a
/// quantile is off by 3 % at most.
struct ValueBuckets {
    private static let buckets = 61 * 16

    private var counts: [UInt32] = []
    /// How many values there were.
    private(set) var count: UInt64 = 0
    /// The largest value.
    private(set) var largest: UInt64 = 0

    init() {}

    /// Counts a value.
    mutating func add(_ value: UInt64) {
        // Most groups of a host never have a value of some kinds.
        if counts.isEmpty { counts = [UInt32](repeating: 0, count: Self.buckets) }
        let bucket = Self.bucket(of: value)
        guard counts.indices.contains(bucket) else { return }
        counts[bucket] &+= 1
        count &+= 1
        largest = max(largest, value)
    }

    /// The value that a share of all values did not exceed; nil when there is none.
    func quantile(_ share: Double) -> UInt64? {
        guard count > 0 else { return nil }
        let rank = UInt64((Double(count) * min(max(share, 0), 1)).rounded(.up))
        var passed: UInt64 = 0
        for bucket in counts.indices where counts[bucket] > 0 {
            passed &+= UInt64(counts[bucket])
            if passed >= max(rank, 1) { return min(Self.middle(of: bucket), largest) }
        }
        return largest
    }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= 16 else { return Int(value) }
        let exponent = 63 &- value.leadingZeroBitCount
        return (exponent &- 3) &* 16 &+ Int(value >> UInt64(exponent &- 4) & 15)
    }

    private static func middle(of bucket: Int) -> UInt64 {
        guard bucket >= 16 else { return UInt64(max(bucket, 0)) }
        let shift = UInt64(bucket / 16 &- 1)
        let low = UInt64(16 &+ bucket % 16) << shift
        return low &+ (1 << shift) / 2
    }
}

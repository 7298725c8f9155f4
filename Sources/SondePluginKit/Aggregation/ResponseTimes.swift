/// Minimum, median and maximum of response times in bounded memory.
///
/// Up to a million times are kept, and the median is exact. Beyond, times are counted in buckets, 512 between a
/// power of two and the next one: the median is then within 0.1 %.
public struct ResponseTimes: ~Copyable {
    /// How many times are kept before they are counted in buckets.
    public static let mostKept = 1_000_000
    /// Buckets per power of two.
    private static let steps: UInt64 = 512
    private static let stepBits = 9

    /// How many times there were.
    public private(set) var count: UInt64 = 0
    private var shortest = UInt64.max
    private var longest: UInt64 = 0
    private var kept: UnsafeMutablePointer<UInt64>?
    private var capacity = 0
    private var buckets: UnsafeMutablePointer<UInt64>?
    private let limit: Int

    /// No times yet; `mostKept` will be kept one by one.
    public init(mostKept: Int = ResponseTimes.mostKept) {
        limit = max(1, mostKept)
    }

    deinit {
        kept?.deallocate()
        buckets?.deallocate()
    }

    /// Counts a time.
    public mutating func record(nanoseconds: UInt64) {
        shortest = min(shortest, nanoseconds)
        longest = max(longest, nanoseconds)
        if buckets == nil, count >= UInt64(limit) { spill() }
        if let buckets {
            buckets[Self.bucket(of: nanoseconds)] &+= 1
        } else {
            if Int(count) == capacity { grow() }
            kept?[Int(count)] = nanoseconds
        }
        count &+= 1
    }

    /// The shortest time in nanoseconds; nil before the first one.
    public var minimum: UInt64? { count > 0 ? shortest : nil }

    /// The longest time in nanoseconds; nil before the first one.
    public var maximum: UInt64? { count > 0 ? longest : nil }

    /// The median in nanoseconds, nil when there is no time; the mean of the middle two when their number is even.
    ///
    /// Looks at everything that is kept: for the end of a file, not for every interval.
    public var median: Double? {
        guard count > 0 else { return nil }
        let (lower, upper) = ((count &- 1) / 2, count / 2)
        guard let buckets else { return exactMedian(lower, upper) }
        let value = (Self.value(at: lower, of: buckets) + Self.value(at: upper, of: buckets)) / 2
        return min(max(value, Double(shortest)), Double(longest))
    }

    /// The mean of the times of two ranks that are the same or neighbours.
    ///
    /// The times are counted in buckets first, and only those of the buckets of both ranks are sorted.
    private func exactMedian(_ lower: UInt64, _ upper: UInt64) -> Double {
        let times = UnsafeBufferPointer(start: kept, count: Int(count))
        let counts = Self.emptyBuckets()
        defer { counts.deallocate() }
        for time in times { counts[Self.bucket(of: time)] &+= 1 }
        let (first, before) = Self.place(of: lower, in: counts)
        let last = Self.place(of: upper, in: counts).bucket
        let near = times.filter { (first...last).contains(Self.bucket(of: $0)) }.sorted()
        return (Double(near[Int(lower &- before)]) + Double(near[Int(upper &- before)])) / 2
    }

    /// The bucket of a time: below 512 each its own, then 512 per power of two.
    private static func bucket(of value: UInt64) -> Int {
        guard value >= steps else { return Int(value) }
        let exponent = 63 &- value.leadingZeroBitCount
        let mantissa = Int(truncatingIfNeeded: value >> UInt64(exponent &- stepBits)) & Int(steps &- 1)
        return (exponent &- stepBits &+ 1) &* Int(steps) &+ mantissa
    }

    /// The middle of a bucket.
    private static func middle(of bucket: Int) -> Double {
        let group = bucket / Int(steps)
        guard group > 0 else { return Double(bucket) }
        let mantissa = UInt64(bucket % Int(steps)) | steps
        let width = UInt64(1) << UInt64(group &- 1)
        return Double(mantissa &* width) + Double(width &- 1) / 2
    }

    private static var bucketCount: Int { (64 &- stepBits &+ 1) &* Int(steps) }

    private static func emptyBuckets() -> UnsafeMutablePointer<UInt64> {
        let buckets = UnsafeMutablePointer<UInt64>.allocate(capacity: bucketCount)
        buckets.initialize(repeating: 0, count: bucketCount)
        return buckets
    }

    /// The bucket of a rank, which is below the number of all times, and how many times are in those before it.
    private static func place(
        of rank: UInt64, in buckets: UnsafeMutablePointer<UInt64>
    ) -> (bucket: Int, before: UInt64) {
        var before: UInt64 = 0
        for bucket in 0..<bucketCount {
            if before &+ buckets[bucket] > rank { return (bucket, before) }
            before &+= buckets[bucket]
        }
        return (bucketCount &- 1, before)
    }

    private static func value(at rank: UInt64, of buckets: UnsafeMutablePointer<UInt64>) -> Double {
        middle(of: place(of: rank, in: buckets).bucket)
    }

    private mutating func spill() {
        let all = Self.emptyBuckets()
        for index in 0..<Int(count) {
            if let kept { all[Self.bucket(of: kept[index])] &+= 1 }
        }
        kept?.deallocate()
        kept = nil
        buckets = all
    }

    private mutating func grow() {
        let larger = min(max(1024, capacity &* 2), limit)
        let moved = UnsafeMutablePointer<UInt64>.allocate(capacity: larger)
        if let kept {
            moved.moveInitialize(from: kept, count: Int(count))
            kept.deallocate()
        }
        kept = moved
        capacity = larger
    }
}

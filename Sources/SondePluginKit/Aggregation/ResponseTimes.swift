/// Minimum, median and maximum of response times in bounded memory.
///
/// Up to a million times are kept, and the median is exact. Beyond, times are counted in buckets of which 512 lie between a
/// power of two and the next one: the median is then within 0.1 %.
public struct ResponseTimes: ~Copyable {
    /// How many times are kept before they are counted in buckets.
    public static let mostKept = 1_000_000
    /// Buckets per power of two.
    private static let steps: UInt64 = 512
    private static let stepBits = 9

    /// How many times there were.
    public private(set) var count: UInt64 = 0
    /// The shortest time in nanoseconds; nil before the first one.
    public private(set) var minimum: UInt64?
    /// The longest time in nanoseconds; nil before the first one.
    public private(set) var maximum: UInt64?
    private var kept: UnsafeMutablePointer<UInt64>?
    private var capacity = 0
    private var buckets: UnsafeMutablePointer<UInt64>?
    private let limit: Int

    /// No times yet, of which `mostKept` are kept one by one.
    public init(mostKept: Int = ResponseTimes.mostKept) {
        limit = max(1, mostKept)
    }

    deinit {
        kept?.deallocate()
        buckets?.deallocate()
    }

    /// Counts a time.
    public mutating func record(nanoseconds: UInt64) {
        minimum = min(minimum ?? nanoseconds, nanoseconds)
        maximum = max(maximum ?? nanoseconds, nanoseconds)
        if buckets == nil, count >= UInt64(limit) { spill() }
        if let buckets {
            buckets[Self.bucket(of: nanoseconds)] &+= 1
        } else {
            if Int(count) == capacity { grow() }
            kept?[Int(count)] = nanoseconds
        }
        count &+= 1
    }

    /// The median in nanoseconds, nil when there is no time; the mean of the middle two when their number is even.
    ///
    /// Sorts what is kept: for the end of a file, not for every interval.
    public var median: Double? {
        guard count > 0 else { return nil }
        guard let buckets else {
            let sorted = UnsafeBufferPointer(start: kept, count: Int(count)).sorted()
            let middle = sorted.count / 2
            return sorted.count % 2 == 1
                ? Double(sorted[middle]) : (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2
        }
        let upper = Self.value(at: count / 2, of: buckets)
        let value = count % 2 == 1 ? upper : (Self.value(at: count / 2 &- 1, of: buckets) + upper) / 2
        return min(max(value, Double(minimum ?? 0)), Double(maximum ?? .max))
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

    private static func value(at rank: UInt64, of buckets: UnsafeMutablePointer<UInt64>) -> Double {
        var seen: UInt64 = 0
        for index in 0..<bucketCount {
            seen &+= buckets[index]
            if seen > rank { return middle(of: index) }
        }
        return middle(of: bucketCount &- 1)
    }

    private mutating func spill() {
        let all = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.bucketCount)
        all.initialize(repeating: 0, count: Self.bucketCount)
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

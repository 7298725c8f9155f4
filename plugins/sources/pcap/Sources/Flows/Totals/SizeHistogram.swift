internal import SondeDomain

/// Counts the sizes of flows by powers of four, 256 bytes to 4 GiB.
struct SizeHistogram: ~Copyable {
    private static let bucketCount = 14

    private let counts: UnsafeMutablePointer<UInt64>
    private var sum: UInt64 = 0
    private var isSumKnown = true

    init() {
        counts = .allocate(capacity: Self.bucketCount)
        counts.initialize(repeating: 0, count: Self.bucketCount)
    }

    deinit {
        counts.deallocate()
    }

    /// Counts a size in bytes; a bound belongs to the bucket below it.
    mutating func record(_ bytes: UInt64) {
        // 256 is 2^8: one bucket for each two bits beyond.
        let bits = bytes <= 1 ? 0 : UInt64.bitWidth &- (bytes &- 1).leadingZeroBitCount
        counts[min(max(0, (bits &- 7) / 2), Self.bucketCount &- 1)] &+= 1
        let (next, overflow) = sum.addingReportingOverflow(bytes)
        sum = next
        if overflow { isSumKnown = false }
    }

    /// What was counted so far, in bytes; nil when the counts exceed 64 bits together.
    var snapshot: HistogramValue? {
        HistogramValue(
            bounds: (0..<Self.bucketCount &- 1).map { Double(UInt64(256) << UInt64(2 &* $0)) },
            counts: (0..<Self.bucketCount).map { counts[$0] },
            sum: isSumKnown ? Double(sum) : nil
        )
    }
}

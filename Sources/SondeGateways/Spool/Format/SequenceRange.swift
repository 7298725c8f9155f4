internal import SondeEngine

extension Stretch {
    var range: SequenceRange { SequenceRange(first: first, end: last &+ 1) }
}

/// Sequence numbers from `first` up to, not including, `end`.
struct SequenceRange: Hashable {
    var first: UInt64
    var end: UInt64

    var isEmpty: Bool { first >= end }
    var count: UInt64 { isEmpty ? 0 : end &- first }

    /// The intersection.
    func overlap(_ other: SequenceRange) -> SequenceRange {
        SequenceRange(first: max(first, other.first), end: min(end, other.end))
    }
}

/// Ranges in ascending order that do not touch.
struct SequenceRanges: Hashable {
    private(set) var ranges: [SequenceRange] = []
    private let bound: Int

    /// No range; of more than `bound` the oldest are forgotten.
    init(bound: Int) {
        self.bound = bound
    }

    /// Adds a range.
    mutating func insert(_ range: SequenceRange) {
        guard !range.isEmpty else { return }
        var merged = range
        var kept: [SequenceRange] = []
        for known in ranges {
            if known.end < merged.first || known.first > merged.end {
                kept.append(known)
            } else {
                merged = SequenceRange(first: min(known.first, merged.first), end: max(known.end, merged.end))
            }
        }
        kept.append(merged)
        kept.sort { $0.first < $1.first }
        ranges = Array(kept.suffix(bound))
    }

    /// Forgets what is below a number.
    mutating func removeAll(below number: UInt64) {
        ranges.removeAll { $0.end <= number }
    }

    /// The parts of a range that no known one covers.
    func missing(in range: SequenceRange) -> [SequenceRange] {
        var rest = range
        var missing: [SequenceRange] = []
        for known in ranges where !rest.isEmpty && known.end > rest.first && known.first < rest.end {
            if known.first > rest.first { missing.append(SequenceRange(first: rest.first, end: known.first)) }
            rest.first = known.end
        }
        if !rest.isEmpty { missing.append(rest) }
        return missing
    }
}

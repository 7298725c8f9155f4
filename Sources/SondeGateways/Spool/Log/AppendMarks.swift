internal import SondeDomain

/// When the last few frames were appended.
struct AppendMarks {
    private static let bound = 512

    private var marks: [(first: UInt64, at: MonotonicInstant)] = []

    mutating func add(_ first: UInt64, at instant: MonotonicInstant) {
        if marks.count >= Self.bound { marks.removeFirst(Self.bound / 2) }
        marks.append((first, instant))
    }

    /// When the frame of a number was appended; nil when that is too long ago.
    func instant(of number: UInt64) -> MonotonicInstant? {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle].first <= number { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : marks[low - 1].at
    }
}

internal import SondeDomain

/// Which requests say what a family means: one every ten minutes, for each family at another time.
///
/// Receivers keep the text; in every request it would be a third of its bytes, and all texts at once are a burst.
struct HelpSchedule {
    /// The number of a family, which stays until ``removeAll()``.
    typealias Family = Int32

    private static let period: Int64 = 600_000_000_000

    /// When the text is next.
    private struct Mark {
        /// The request that had it last; nil: none.
        var first: UInt64?
        var time: Int64
    }

    private var numbers: [String: Family] = [:]
    private var names: [String] = []
    private var marks: [Mark] = []
    private var first: UInt64 = 0
    private var time: Int64 = 0

    /// Forgets all families.
    mutating func removeAll() {
        self = HelpSchedule()
    }

    /// The number of a family.
    mutating func number(of family: String) -> Family {
        if let number = numbers[family] { return number }
        let number = Family(truncatingIfNeeded: marks.count)
        numbers[family] = number
        names.append(family)
        // FNV-1a, 32 bits: spread over the period, and the same for the same name.
        let hash = family.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        marks.append(Mark(first: nil, time: time &- Int64(hash % 600) &* 1_000_000_000))
        return number
    }

    /// The name of a family that has a number.
    func name(of family: Family) -> String { names[Int(family)] }

    /// Begins a request.
    mutating func begin(_ batch: Batch) {
        first = batch.identity.first
        time = batch.entries.first?.point.time.nanoseconds ?? 0
    }

    /// Whether the request in hand says what a family means: a batch that is offered again is the same bytes.
    mutating func isDue(_ family: Family) -> Bool {
        let index = Int(family)
        let mark = marks[index]
        if mark.first != first, time &- mark.time < Self.period, time >= mark.time { return false }
        marks[index] = Mark(first: first, time: time)
        return true
    }
}

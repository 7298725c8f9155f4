/// Queries that ended lately before the last line that belongs to them, by their keys; bounded.
///
/// Of two with the same place, the newer one replaces the other.
struct EndedQueries: ~Copyable {
    /// How a query ended.
    enum End: UInt64 {
        /// It failed: later lines are of the same failure, or of another try.
        case failed = 1
        /// It was given up: an answer that comes yet is late.
        case unanswered
        /// The same, and the answer may be a text, which may read like anything.
        case unansweredText
    }

    private static let size = 4096

    /// Keys, of which the lowest two bits encode how their queries ended.
    private let keys = FixedTable<UInt64>(count: size, 0)

    /// Keeps how the query of `key` ended.
    mutating func insert(_ key: UInt64, _ end: End) {
        keys[Self.place(key)] = key & ~3 | end.rawValue
    }

    /// How the query of `key` ended; nil when that is not kept.
    func end(of key: UInt64) -> End? {
        let kept = keys[Self.place(key)]
        return kept | 3 == key | 3 ? End(rawValue: kept & 3) : nil
    }

    /// Removes how the query of `key` ended.
    mutating func remove(_ key: UInt64) {
        if end(of: key) != nil { keys[Self.place(key)] = 0 }
    }

    private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key >> 32) & (size &- 1) }
}

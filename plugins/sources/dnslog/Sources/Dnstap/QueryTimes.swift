internal import SondePluginKit

/// When queries came, for responses without that time; bounded.
///
/// A place serves several keys: a query whose place another one has taken has no known time. It keeps nanoseconds, where
/// what waits for an answer is otherwise kept in milliseconds.
struct QueryTimes: ~Copyable {
    private struct Slot {
        var key: UInt64 = 0
        var time: Int64 = 0
    }

    private static let capacity = 1 << 15
    private static let ways = 4
    /// A query of the same key that is older than this does not belong to a later one.
    private static let longest: Int64 = 30_000_000_000

    private let slots = FixedTable(count: capacity, Slot())

    /// A query came; a repeated one keeps its first time.
    mutating func note(_ key: UInt64, _ time: Int64) {
        let set = Self.set(key)
        var oldest = set
        for index in set..<(set &+ Self.ways) {
            if slots[index].key == key, time &- slots[index].time < Self.longest { return }
            if slots[index].key == 0 || slots[index].key == key {
                oldest = index
                break
            }
            if slots[index].time < slots[oldest].time { oldest = index }
        }
        slots[oldest] = Slot(key: key, time: time)
    }

    /// When the query of this key came; nil when that is not known.
    mutating func take(_ key: UInt64) -> Int64? {
        let set = Self.set(key)
        for index in set..<(set &+ Self.ways) where slots[index].key == key {
            defer { slots[index].key = 0 }
            return slots[index].time
        }
        return nil
    }

    private static func set(_ key: UInt64) -> Int {
        Int(truncatingIfNeeded: KeyHash.mix(key) % UInt64(capacity / ways)) &* ways
    }
}

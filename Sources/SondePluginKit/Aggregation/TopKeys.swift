/// The heaviest keys of a stream and what is left of its total.
public struct TopKeys: Sendable, Equatable {
    /// A key and its weight.
    public struct Entry: Sendable, Equatable {
        /// The key's bytes.
        public let key: [UInt8]
        /// The key's weight, or more.
        public let count: UInt64
        /// By how much the weight may be too large; 0 when it is exact.
        public let error: UInt64
    }

    /// The heaviest keys, heaviest first; equally heavy ones in the order of their bytes.
    public let entries: [Entry]
    /// The weight of the whole stream.
    public let total: UInt64

    /// What the total holds beyond the entries: with it, the sum stays true.
    public var other: UInt64 {
        entries.reduce(total) { rest, entry in rest < entry.count ? 0 : rest &- entry.count }
    }
}

extension TopKeys.Entry {
    static func isHeavier(_ left: Self, _ right: Self) -> Bool {
        left.count == right.count ? left.key.lexicographicallyPrecedes(right.key) : left.count > right.count
    }
}

/// What was seen lately, by a hash; bounded.
///
/// Of two with the same place, the newer one replaces the other.
struct SeenKeys: ~Copyable {
    private static let size = 256

    private let keys = FixedTable<UInt64>(count: size, 0)

    /// Whether `key` was kept and no other one took its place.
    func has(_ key: UInt64) -> Bool { keys[Self.place(key)] == key }

    /// Keeps `key`.
    func insert(_ key: UInt64) {
        keys[Self.place(key)] = key
    }

    private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key >> 32) & (size &- 1) }
}

/// Lines that are in no other format than the one of their file, by a hash: such lines come again and again.
struct DoubtedLines: ~Copyable {
    private static let size = 256

    private let keys: UnsafeMutablePointer<UInt64>

    init() {
        keys = .allocate(capacity: Self.size)
        keys.initialize(repeating: 0, count: Self.size)
    }

    deinit {
        keys.deallocate()
    }

    /// Whether the line of `key` was kept and no other one took its place.
    func has(_ key: UInt64) -> Bool { keys[Self.place(key)] == key }

    /// Keeps the line of `key`.
    func insert(_ key: UInt64) {
        keys[Self.place(key)] = key
    }

    private static func place(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key >> 32) & (size &- 1) }
}

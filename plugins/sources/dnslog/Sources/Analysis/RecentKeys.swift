/// The keys of the last few lines of one kind, so that what two lines tell is counted once.
struct RecentKeys {
    private var keys: [UInt64] = Array(repeating: 0, count: 64)
    private var next = 0

    /// Keeps a key until others push it out.
    mutating func insert(_ key: UInt64) {
        keys[next] = key
        next = (next &+ 1) % keys.count
    }

    /// Takes a key out once; false when it is not there.
    mutating func take(_ key: UInt64) -> Bool {
        guard let place = keys.firstIndex(of: key) else { return false }
        keys[place] = 0
        return true
    }
}

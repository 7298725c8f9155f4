internal import SondeDomain

/// Deadlines in the order in which they are reached, equal ones in the order in which they were set; one for each key.
///
/// A sorted list: a loop has a few dozen timers, and moving them costs less than the system call beside it.
struct DeadlineQueue<Key: Equatable> {
    private var waiting: [(instant: MonotonicInstant, key: Key)] = []
    private var reached: [Key] = []

    /// The earliest deadline that was not reached; the distant future: there is none.
    var next: MonotonicInstant { waiting.first?.instant ?? .distantFuture }

    /// Sets the deadline of a key in place of its earlier one; the distant future is none.
    mutating func set(_ key: Key, to instant: MonotonicInstant) {
        waiting.removeAll { $0.key == key }
        reached.removeAll { $0 == key }
        guard instant != .distantFuture else { return }
        waiting.insert((instant, key), at: waiting.firstIndex { $0.instant > instant } ?? waiting.endIndex)
    }

    /// Has `takeReached` return the keys whose deadline has passed at `now`.
    mutating func advance(to now: MonotonicInstant) {
        let passed = waiting.prefix { $0.instant <= now }
        reached += passed.map(\.key)
        waiting.removeFirst(passed.count)
    }

    /// The next key whose deadline was reached and not set again since; nil: there is none.
    mutating func takeReached() -> Key? {
        reached.isEmpty ? nil : reached.removeFirst()
    }
}

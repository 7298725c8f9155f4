package import SondeDomain
internal import Synchronization

/// What several sinks make of the same series, made once for all to which it is new about the same time.
///
/// Each sink keeps what it has made of every series for as long as batches name it: with eight sinks that was a quarter of an
/// agent's memory. Here a series stays for ``patience`` to twice as many batches of all sinks. Thread-safe.
package final class SharedBySeries<Value: Sendable>: Sendable {
    /// How many batches there are before the older half is removed.
    package static var patience: Int { 256 }
    /// How many new series do the same.
    package static var mostNew: Int { 16_384 }

    private struct Kept {
        var newer: [SeriesID: Value] = [:]
        var older: [SeriesID: Value] = [:]
        var batches = 0

        mutating func removeOlder() {
            (older, newer, batches) = (newer, [:], 0)
        }
    }

    private let kept = Mutex(Kept())

    /// Nothing yet.
    package init() {}

    /// Begins a batch of one of the sinks.
    package func beginBatch() {
        kept.withLock { kept in
            kept.batches += 1
            if kept.batches > Self.patience { kept.removeOlder() }
        }
    }

    /// The value of a series where there is one that `describes` it, else what `make` returns.
    package func value(of series: SeriesID, where describes: (Value) -> Bool, make: () -> Value) -> Value {
        kept.withLock { kept in
            if let value = kept.newer[series] ?? kept.older[series], describes(value) { return value }
            let value = make()
            if kept.newer.count >= Self.mostNew { kept.removeOlder() }
            kept.newer[series] = value
            return value
        }
    }
}

package import SondeDomain
internal import Synchronization

/// What several sinks make of the same series, made once for all that ask for it about the same time.
///
/// Each sink keeps what it has made of every series for as long as batches name it: with eight sinks that was a quarter of an
/// agent's memory. Here only the last ``bound`` to twice as many are kept, of those that are new to a sink. Thread-safe.
package final class SharedBySeries<Value: Sendable>: Sendable {
    /// How many series there are before the older half is removed.
    package static var bound: Int { 1_024 }

    private struct Kept {
        var newer: [SeriesID: Value] = [:]
        var older: [SeriesID: Value] = [:]
    }

    private let kept = Mutex(Kept())

    /// Nothing yet.
    package init() {}

    /// The value of a series where there is one that `isRight` accepts, else what `make` returns.
    package func value(of series: SeriesID, where isRight: (Value) -> Bool, make: () -> Value) -> Value {
        kept.withLock { kept in
            if let value = kept.newer[series] ?? kept.older[series], isRight(value) { return value }
            let value = make()
            if kept.newer.count >= Self.bound {
                kept.older = kept.newer
                kept.newer = [:]
            }
            kept.newer[series] = value
            return value
        }
    }
}

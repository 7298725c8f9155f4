import SondeDomain
import SondeEngine
import Synchronization

/// A log in memory on a storage that fails as a test sets.
final class TroubledSpool: ForwardingSpool {
    /// What fails.
    struct Trouble {
        /// What every sync fails with; nil: syncs succeed.
        var sync: SondeError?
        /// How many attempts to make a stretch shorter fail.
        var failingShortens = 0
        fileprivate var failures: [SondeError] = []
        fileprivate var isSafe = true
    }

    let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let trouble = Mutex(Trouble())

    var isSafe: Bool { trouble.withLock { $0.isSafe } }
    var isSettled: Bool { isSafe }

    func change(_ body: (inout sending Trouble) -> Void) { trouble.withLock { body(&$0) } }

    func sync() {
        trouble.withLock { trouble in
            trouble.isSafe = trouble.sync == nil
            if let failure = trouble.sync { trouble.failures.append(failure) }
        }
    }

    func takeFailures() -> [SondeError] {
        trouble.withLock { trouble in
            defer { trouble.failures = [] }
            return trouble.failures
        }
    }

    func shorten(for sink: String, to count: Int) -> Stretch? {
        let fails = trouble.withLock { trouble in
            trouble.failingShortens -= 1
            return trouble.failingShortens >= 0
        }
        return fails ? nil : log.shorten(for: sink, to: count)
    }
}

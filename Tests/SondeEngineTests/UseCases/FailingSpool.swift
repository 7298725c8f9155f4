import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization

/// A log in memory on storage that fails: it cannot cut, or it finds at a read what it has lost.
final class FailingSpool: ForwardingSpool {
    private struct Failures {
        var cuts = 0
        var found: [Loss] = []
        var untold: [Loss] = []
    }

    let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let failures = Mutex(Failures())

    /// Refuses so many cuts.
    func refuseCuts(_ count: Int) {
        failures.withLock { $0.cuts = count }
    }

    /// Finds a loss at the next read.
    func lose(_ loss: Loss) {
        failures.withLock { $0.found.append(loss) }
    }

    func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        let isRefused = failures.withLock { failures in
            defer { failures.cuts = max(0, failures.cuts - 1) }
            return failures.cuts > 0
        }
        return isRefused ? nil : log.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
    }

    func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        failures.withLock { failures in
            failures.untold += failures.found
            failures.found = []
        }
        return log.read(stretch, for: sink)
    }

    func takeLosses() -> [Loss] {
        failures.withLock { failures in
            defer { failures.untold = [] }
            return failures.untold
        }
    }
}

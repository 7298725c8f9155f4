import SondeDomain
import SondeEngine
import SondeTestKit
import Synchronization

/// A log in memory on storage that fails: it cannot cut, or it finds at a read what it has lost.
final class FailingSpool: SpoolStore {
    private struct Failures {
        var cuts = 0
        var found: [Loss] = []
        var untold: [Loss] = []
    }

    private let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let failures = Mutex(Failures())

    var epoch: String { log.epoch }
    var isSafe: Bool { log.isSafe }
    var isSettled: Bool { log.isSettled }

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

    func read(_ stretch: Stretch, for sink: String) -> (points: [SpooledPoint], documents: [Document]) {
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

    func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        log.addReader(sink, kind, wants: wants)
    }

    func removeReader(_ sink: String) { log.removeReader(sink) }

    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        log.append(points, documents: documents, checkpoint: checkpoint, at: time)
    }

    func backlog(of sink: String) -> Backlog { log.backlog(of: sink) }

    func shorten(for sink: String, to count: Int) -> Stretch? { log.shorten(for: sink, to: count) }

    func acknowledge(_ stretch: Stretch, for sink: String) { log.acknowledge(stretch, for: sink) }
}

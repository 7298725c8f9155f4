import SondeDomain
import SondeEngine
import Synchronization

/// A log in memory on which another thread seems to act right after a look at the backlog.
final class InterruptedSpool: SpoolStore {
    typealias Interruption = @Sendable (MemorySpool) -> Void

    private let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let interruption = Mutex<Interruption?>(nil)

    var epoch: String { log.epoch }
    var isSafe: Bool { log.isSafe }
    var isSettled: Bool { log.isSettled }

    /// Acts once, after the next look has been answered.
    func interruptNextLook(_ body: @escaping Interruption) {
        interruption.withLock { $0 = body }
    }

    func backlog(of sink: String) -> Backlog {
        let backlog = log.backlog(of: sink)
        let body = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        body?(log)
        return backlog
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

    func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        log.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
    }

    func shorten(for sink: String, to count: Int) -> Stretch? { log.shorten(for: sink, to: count) }

    func read(_ stretch: Stretch, for sink: String) -> (points: [SpooledPoint], documents: [Document]) {
        log.read(stretch, for: sink)
    }

    func acknowledge(_ stretch: Stretch, for sink: String) { log.acknowledge(stretch, for: sink) }
}

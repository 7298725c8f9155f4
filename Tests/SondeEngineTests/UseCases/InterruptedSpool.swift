import SondeDomain
import SondeEngine
import Synchronization

/// A log in memory on which another thread seems to act right after a look at the backlog.
final class InterruptedSpool: ForwardingSpool {
    typealias Interruption = @Sendable (MemorySpool) -> Void

    let log = MemorySpool(epoch: "epoch", maxBytes: 64 << 20, overflow: .dropOldest)
    private let interruption = Mutex<Interruption?>(nil)

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
}

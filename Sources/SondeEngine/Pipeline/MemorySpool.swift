public import SondeDomain
internal import Synchronization

/// The shared log in memory, bounded in bytes: what is used where no state is kept.
///
/// Frames are kept whole; a frame is forgotten when every sink is past it, or when room is needed and every durable
/// sink is past it or the policy is to drop the oldest. The bound is exceeded only by stretches under way and by a
/// single frame that is larger than it.
public final class MemorySpool: SpoolStore {
    private let state: Mutex<MemoryLog>
    private let unreported = Mutex<[Loss]>([])
    private let checkpoints = Mutex<[String: [UInt8]]>([:])

    /// Identifies this log.
    public let epoch: String

    /// Nothing here survives the process, and nothing is promised.
    public var isSafe: Bool { true }

    /// Only a sink that was removed leaves losses to report later.
    public var isSettled: Bool { unreported.withLock { $0.isEmpty } }

    /// What all that is appended from now on has in common.
    public var resource: Resource {
        get { state.withLock { $0.resource } }
        set { state.withLock { $0.resource = newValue } }
    }

    /// An empty log of at most about `maxBytes`, whose numbers begin with `first`.
    public init(epoch: String, maxBytes: Int64, overflow: AgentSettings.OverflowPolicy, first: UInt64 = 1) {
        self.epoch = epoch
        state = Mutex(MemoryLog(maxBytes: maxBytes, overflow: overflow, first: first))
    }

    /// Registers a sink; a new one starts at the tail.
    public func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        state.withLock { $0.addReader(sink, kind, wants: wants) }
    }

    /// Forgets a sink and what was kept for it, which ``takeLosses()`` returns.
    public func removeReader(_ sink: String) {
        guard let loss = state.withLock({ $0.removeReader(sink) }) else { return }
        unreported.withLock { $0.append(loss) }
    }

    /// What removed sinks had not read, since the last call.
    public func takeLosses() -> [Loss] {
        unreported.withLock { unreported in
            defer { unreported = [] }
            return unreported
        }
    }

    /// The last checkpoint of a source: for one that is reconfigured.
    public func checkpoint(of source: String) -> [UInt8]? {
        checkpoints.withLock { $0[source] }
    }

    /// Appends one frame; its checkpoint does not outlive the process.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        let (result, losses) = state.withLock { $0.append(points, documents, at: time) }
        if let checkpoint, case .taken = result {
            checkpoints.withLock { $0[checkpoint.source] = checkpoint.bytes }
        }
        return (result, losses)
    }

    /// What waits for a sink.
    public func backlog(of sink: String) -> Backlog {
        state.withLock { $0.backlog(of: sink) }
    }

    /// The stretch under way, or a new one.
    public func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        state.withLock { $0.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes) }
    }

    /// Makes the stretch under way shorter.
    public func shorten(for sink: String, to count: Int) -> Stretch? {
        state.withLock { $0.shorten(for: sink, to: count) }
    }

    /// What a stretch holds.
    public func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        state.withLock { $0.read(stretch, for: sink) }
    }

    /// Moves a sink's cursor.
    public func acknowledge(_ stretch: Stretch, for sink: String) {
        state.withLock { $0.acknowledge(stretch, for: sink) }
    }

    /// What is kept of a range, for any sink.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        guard count > 0 else { return SpoolContents(resource: resource, last: first &- 1) }
        let (last, overflow) = first.addingReportingOverflow(UInt64(count) - 1)
        return state.withLock {
            $0.read(Stretch(first: first, last: overflow ? .max : last), [.metrics, .snapshots])
        }
    }
}

public import SondeDomain
internal import Synchronization

/// The shared log in memory, bounded in bytes: what is used where no state is kept.
///
/// Frames are kept whole; a frame is forgotten when every sink is past it, or when room is needed and every durable
/// sink is past it or the policy lets the oldest give way. The bound is exceeded only by stretches under way and by a
/// single frame that is larger than it.
public final class MemorySpool: SpoolStore {
    private let state: Mutex<MemoryLog>

    /// Identifies this log.
    public let epoch: String

    /// Nothing here survives the process, and nothing is promised.
    public var isSafe: Bool { true }

    /// No append leaves anything to be told later.
    public var isSettled: Bool { true }

    /// An empty log of at most about `maxBytes`.
    public init(epoch: String, maxBytes: Int64, overflow: AgentSettings.OverflowPolicy) {
        self.epoch = epoch
        state = Mutex(MemoryLog(maxBytes: maxBytes, overflow: overflow))
    }

    /// Registers a sink; it starts at the tail.
    public func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        state.withLock { $0.addReader(sink, kind, wants: wants) }
    }

    /// Forgets a sink and what was kept for it.
    public func removeReader(_ sink: String) {
        state.withLock { $0.removeReader(sink) }
    }

    /// Appends one frame; a checkpoint would not outlive the process and is not kept.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        state.withLock { $0.append(points, documents, at: time) }
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
    public func read(_ stretch: Stretch, for sink: String) -> (points: [SpooledPoint], documents: [Document]) {
        state.withLock { $0.read(stretch, for: sink) }
    }

    /// Moves a sink's cursor.
    public func acknowledge(_ stretch: Stretch, for sink: String) {
        state.withLock { $0.acknowledge(stretch, for: sink) }
    }

    /// What is kept of a range, whoever waits for it.
    public func contents(from first: UInt64, count: Int) -> (points: [SpooledPoint], documents: [Document]) {
        guard count > 0 else { return ([], []) }
        let (last, overflow) = first.addingReportingOverflow(UInt64(count) - 1)
        return state.withLock {
            $0.read(Stretch(first: first, last: overflow ? .max : last), [.metrics, .snapshots])
        }
    }
}

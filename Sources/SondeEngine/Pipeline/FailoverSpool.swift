public import SondeDomain
internal import Synchronization

/// A log on disk, and one in memory that takes over for the rest of the run when the disk fails for too long.
///
/// A disk without room does not fail: the log on it bridges that itself. The log in memory has an epoch of its own, so
/// that no batch of it can be mistaken for one of the log on disk; what that holds stays there for the next start
/// (docs/decisions/0044-memory-takes-over-from-a-disk-that-fails.md). May be called from any thread.
public final class FailoverSpool: SpoolStore {
    /// For so long no append succeeds, or nothing can be recorded for any sink, until memory takes over.
    public static let patience = Nanoseconds.seconds(30)

    private struct Reader {
        let kind: ReaderKind
        let wants: SendContent
        /// Whether it is cut stretches of the log in memory.
        var hasMoved = false
    }

    /// How long one kind of call has failed without a success between.
    private struct Streak {
        private var since: MonotonicInstant?

        mutating func succeeded() { since = nil }

        /// Notes a failure; whether there were only failures for too long.
        mutating func failed(at now: MonotonicInstant) -> Bool {
            let since = since ?? now
            self.since = since
            return now.since(since) >= FailoverSpool.patience
        }
    }

    private struct State {
        var memory: MemorySpool?
        var readers: [String: Reader] = [:]
        var appends = Streak()
        var records = Streak()
        var failures: [SondeError] = []
    }

    private let disk: any SpoolStore
    private let makeMemory: @Sendable () -> MemorySpool
    private let clock: any Clock
    private let state = Mutex(State())

    /// A log on `disk`; `makeMemory` makes the other one when it comes to that.
    public init(_ disk: any SpoolStore, clock: any Clock, makeMemory: @escaping @Sendable () -> MemorySpool) {
        self.disk = disk
        self.clock = clock
        self.makeMemory = makeMemory
    }

    private var memory: MemorySpool? { state.withLock { $0.memory } }

    /// Where appends go now.
    private var current: any SpoolStore { memory ?? disk }

    /// Where the stretches of a sink come from.
    private func store(of sink: String) -> any SpoolStore {
        state.withLock { $0.readers[sink]?.hasMoved == true ? $0.memory : nil } ?? disk
    }

    /// What all that is appended from now on has in common.
    public var resource: Resource {
        get { current.resource }
        set {
            disk.resource = newValue
            memory?.resource = newValue
        }
    }

    // MARK: Sinks

    /// Registers a sink.
    public func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        disk.addReader(sink, kind, wants: wants)
        let memory = state.withLock { state in
            let hasMoved = state.readers[sink]?.hasMoved ?? (state.memory != nil)
            state.readers[sink] = Reader(kind: kind, wants: wants, hasMoved: hasMoved)
            return state.memory
        }
        memory?.addReader(sink, kind, wants: wants)
    }

    /// Forgets a sink.
    public func removeReader(_ sink: String) {
        state.withLock { $0.readers[sink] = nil }
        disk.removeReader(sink)
        memory?.removeReader(sink)
    }

    /// Forgets the sinks of an earlier run that are not among `sinks`.
    public func retainReaders(_ sinks: [String]) -> [Loss] { disk.retainReaders(sinks) }

    /// What can be delivered to a sink; what lies on a disk that failed is not in it.
    public func backlog(of sink: String) -> Backlog { current.backlog(of: sink) }

    /// The epoch of what a sink is cut.
    public func epoch(of sink: String) -> String { store(of: sink).epoch }

    /// The stretch under way, or a new one; of the log in memory once that has taken over.
    ///
    /// A sink comes over between two stretches: the one under way is ended where it was begun.
    public func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        if let memory {
            state.withLock { $0.readers[sink]?.hasMoved = true }
            return memory.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
        }
        if let stretch = disk.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes) {
            state.withLock { $0.records.succeeded() }
            return stretch
        }
        guard disk.backlog(of: sink).count > 0, !disk.isFull else { return nil }
        let now = clock.monotonicTime
        guard state.withLock({ $0.records.failed(at: now) }) else { return nil }
        takeOver()
        return cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
    }

    /// Makes the stretch under way shorter.
    public func shorten(for sink: String, to count: Int) -> Stretch? {
        store(of: sink).shorten(for: sink, to: count)
    }

    /// The points and documents of a stretch.
    public func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        store(of: sink).read(stretch, for: sink)
    }

    /// Moves a sink past the stretch under way.
    public func acknowledge(_ stretch: Stretch, for sink: String) {
        store(of: sink).acknowledge(stretch, for: sink)
    }

    // MARK: Appending

    /// Appends one frame.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        if let memory { return memory.append(points, documents: documents, checkpoint: checkpoint, at: time) }
        let outcome = disk.append(points, documents: documents, checkpoint: checkpoint, at: time)
        guard case .failed = outcome.0 else {
            // Appending nothing says nothing of the disk.
            if !points.isEmpty || !documents.isEmpty { state.withLock { $0.appends.succeeded() } }
            return outcome
        }
        guard state.withLock({ $0.appends.failed(at: time) }) else { return outcome }
        takeOver()
        return append(points, documents: documents, checkpoint: checkpoint, at: time)
    }

    private func takeOver() {
        state.withLock { state in
            guard state.memory == nil else { return }
            let memory = makeMemory()
            memory.resource = disk.resource
            for (sink, reader) in state.readers { memory.addReader(sink, reader.kind, wants: reader.wants) }
            state.memory = memory
            state.failures.append(.tookOver(memory.epoch))
        }
    }

    /// The last checkpoint of a source.
    public func checkpoint(of source: String) -> [UInt8]? {
        memory?.checkpoint(of: source) ?? disk.checkpoint(of: source)
    }

    /// Takes the series that the run before left without an end.
    public func takeUnended(of source: String?) -> [Series] { disk.takeUnended(of: source) }

    // MARK: Keeping

    /// The epoch of what is appended now.
    public var epoch: String { current.epoch }
    /// Whether what is appended now survives this process.
    public var isDurable: Bool { memory == nil && disk.isDurable }
    /// Whether what was appended survives what is promised: what a disk that failed holds may not.
    public var isSafe: Bool { memory == nil && disk.isSafe }
    /// Whether nothing fails: once memory has taken over, that lasts until the next start.
    public var isSettled: Bool { memory == nil && disk.isSettled }
    /// Whether the disk has no room.
    public var isFull: Bool { memory == nil && disk.isFull }
    /// How many bytes do not survive what is promised.
    public var unsafeBytes: Int64 { current.unsafeBytes }

    /// Makes the log on disk safe, while it is written to.
    public func sync() { current.sync() }

    /// Losses of both logs.
    public func takeLosses() -> [Loss] { disk.takeLosses() + (memory?.takeLosses() ?? []) }

    /// Failures of the storage.
    public func takeFailures() -> [SondeError] {
        let own = state.withLock { state in
            defer { state.failures = [] }
            return state.failures
        }
        return disk.takeFailures() + own
    }

    /// What the files take; nil once memory has taken over.
    public func usage() -> SpoolUsage? { current.usage() }

    /// What is kept of a range, for people.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        current.contents(from: first, count: count)
    }

    /// What waits on a disk that failed, for the next start.
    public func stranded(of sink: String) -> Int { memory == nil ? 0 : disk.backlog(of: sink).count }
}

extension SondeError {
    fileprivate static func tookOver(_ epoch: String) -> SondeError {
        let definition = ErrorDefinition.all.first { $0.code == .spoolFailed }
        return SondeError(
            .spoolFailed,
            stage: .pipeline,
            class: definition?.failureClass ?? .unsafeStorage,
            message: "the spool's disk has failed for \(Int(FailoverSpool.patience.seconds)) s: points are kept in "
                + "memory from now on, under the epoch \(epoch)",
            recovery: definition.map { [.advise($0.recovery)] } ?? []
        )
    }
}

public import SondeDomain
internal import Synchronization

/// A log on disk, and one in memory that takes over for the rest of the run when the disk fails for too long.
///
/// A full disk is no failure: the log on it handles that itself. The log in memory has its own epoch, so
/// that its batches cannot be confused with those of the log on disk; what that holds is kept for the next start
/// (docs/decisions/0044-memory-takes-over-from-a-disk-that-fails.md). May be called from any thread.
public final class FailoverSpool: SpoolStore {
    /// How long no append succeeds, or nothing can be recorded for any sink, before memory takes over.
    public static let patience = Nanoseconds.seconds(30)

    private struct Reader {
        let kind: ReaderKind
        let wants: SendContent
        /// Whether its stretches are cut from the log in memory.
        var hasMoved: Bool
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

    /// A log on `disk`; `makeMemory` makes the other one when it is needed.
    public init(_ disk: any SpoolStore, clock: any Clock, makeMemory: @escaping @Sendable () -> MemorySpool) {
        self.disk = disk
        self.clock = clock
        self.makeMemory = makeMemory
    }

    private var memory: MemorySpool? { state.withLock { $0.memory } }

    /// Where appends go now.
    private var current: any SpoolStore { memory ?? disk }

    /// The log from which a sink's stretches are cut.
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

    /// What can be delivered to a sink; without what is on a disk that failed.
    public func backlog(of sink: String) -> Backlog { current.backlog(of: sink) }

    /// The epoch of what a sink is cut.
    public func epoch(of sink: String) -> String { store(of: sink).epoch }

    /// The stretch under way, or a new one; of the log in memory once that has taken over.
    ///
    /// A sink is switched between two stretches: the one under way is completed in the log that it was cut from.
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
            // An empty append does not show whether the disk works.
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
    /// Whether what was appended is as durable as configured: what a disk that failed holds may not be.
    public var isSafe: Bool { memory == nil && disk.isSafe }
    /// Whether nothing fails: once memory has taken over, that lasts until the next start.
    public var isSettled: Bool { memory == nil && disk.isSettled }
    /// Whether the disk has no room.
    public var isFull: Bool { memory == nil && disk.isFull }
    /// How many bytes are not as durable as configured.
    public var unsafeBytes: Int64 { current.unsafeBytes }

    /// Syncs the log on disk, while it is in use.
    public func sync() { current.sync() }

    /// The wall clock is right now.
    public func clockBecameRight() { disk.clockBecameRight() }

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

    /// What is kept of a range, for display.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        current.contents(from: first, count: count)
    }

    /// What is on a disk that failed and is delivered after the next start.
    public func stranded(of sink: String) -> Int { memory == nil ? 0 : disk.backlog(of: sink).count }
}

extension SondeError {
    fileprivate static func tookOver(_ epoch: String) -> SondeError {
        SondeError(
            defined: .spoolFailed, stage: .pipeline,
            "the spool's disk has failed for \(Int(FailoverSpool.patience.seconds)) s: points are kept in "
                + "memory from now on, under the epoch \(epoch)")
    }
}

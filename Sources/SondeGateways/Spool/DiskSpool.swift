public import SondeDomain
public import SondeEngine
internal import Synchronization

/// The shared log on disk: segments of frames, and one cursor file per sink (docs/spec/spool.md).
///
/// May be called from any thread. Appending takes only the log's lock, under which nothing is ever synced; cutting,
/// reading and acknowledging take their sink's lock first; syncing has its own lock. Locks are taken in the order
/// sink, sync, log. The log's lock is held while the disk is written to: what waits for a sink can be read without it.
public final class DiskSpool: SpoolStore {
    /// Identifies the log: sequence numbers are unique within it.
    public let epoch: String

    let settings: DiskSpoolSettings
    let paths: SpoolPaths
    let fileSystem: any FileSystem
    let interner: SeriesInterner
    let log: Mutex<DiskLog>
    let lockFile: Mutex<any OpenFile>
    private let fullness: Fullness
    private let sinks = Mutex<[String: SinkHandle]>([:])
    private let unended: Mutex<[Series]>

    /// One sink's position under its own lock.
    final class SinkHandle: Sendable {
        let place: Mutex<SinkPlace>
        let figures: BacklogFigures

        init(_ cursor: CursorFile?, _ figures: BacklogFigures) {
            place = Mutex(SinkPlace(cursor: cursor))
            self.figures = figures
        }
    }

    /// Opens the spool in a folder, in any state.
    ///
    /// Throws ``SondeDomain/ErrorCode/spoolLocked`` when another agent has it and ``SondeDomain/ErrorCode/spoolUnusable``
    /// when the file system does not let it be written; never for what the files hold. `newEpoch` names the log if it
    /// has to be started again.
    public init(
        _ settings: DiskSpoolSettings,
        fileSystem: any FileSystem = PosixFileSystem(),
        clock: any Clock,
        newEpoch: SpoolEpoch
    ) throws(SondeError) {
        let interner = SeriesInterner()
        let opened = try SpoolRecovery(settings, fileSystem, clock, interner).open(newEpoch: newEpoch)
        self.settings = settings
        self.fileSystem = fileSystem
        self.interner = interner
        paths = SpoolPaths(directory: settings.directory)
        epoch = opened.log.epoch
        fullness = opened.log.failures.fullness
        unended = Mutex(opened.unended)
        log = Mutex(opened.log)
        lockFile = Mutex(opened.lock)
        var handles: [String: SinkHandle] = [:]
        for (sink, reader) in opened.log.readers {
            handles[sink] = SinkHandle(opened.cursors[sink], reader.figures)
        }
        sinks.withLock { [handles] in $0 = handles }
    }

    /// Registers a sink; a durable one continues at its cursor.
    public func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        let handle = sinks.withLock { sinks in
            if let handle = sinks[sink] { return handle }
            let handle = SinkHandle(nil, BacklogFigures())
            sinks[sink] = handle
            return handle
        }
        handle.place.withLock { place in
            let reader = log.withLock { $0.addReader(sink, kind, wants: wants, handle.figures) }
            switch kind {
            case .durable:
                if place.cursor == nil { makeCursor(of: sink, reader, &place) }
            case .live:
                place.cursor = nil
                try? fileSystem.unlink(paths.cursor(sink))
            }
        }
    }

    /// Forgets a sink and its cursor; what it had not read is reported by ``takeLosses()``.
    public func removeReader(_ sink: String) {
        log.withLock { $0.removeReader(sink) }
        forget(sink)
    }

    /// Forgets the sinks of an earlier run that are not among `sinks`.
    public func retainReaders(_ sinks: [String]) -> [Loss] {
        let removed = log.withLock { $0.takeUnknownReaders(except: Set(sinks)) }
        for (sink, _) in removed { forget(sink) }
        return removed.compactMap(\.loss)
    }

    private func forget(_ sink: String) {
        sinks.withLock { $0[sink] = nil }
        try? fileSystem.unlink(paths.cursor(sink))
    }

    /// Appends one frame.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        let group = AppendGroup(points: points, documents: documents, checkpoint: checkpoint, instant: time)
        var losses: [OverflowLoss] = []
        let result = append(group, &losses)
        if settings.synchronization == .always, case .taken(let stretch) = result {
            _ = makeSafe(through: stretch.last)
        }
        return (result, losses)
    }

    private func append(_ group: AppendGroup, _ losses: inout [OverflowLoss]) -> AppendResult {
        while true {
            switch log.withLock({ $0.append(group, &losses) }) {
            case .ended(let result): return result
            // Read without the lock: it may take as long as the disk does.
            case .uncounted(let parts): count(parts)
            }
        }
    }

    /// Counts what is about to be lost.
    ///
    /// Where sinks have advanced meanwhile, the log then uses the estimates.
    func count(_ parts: [SegmentPart]) {
        let counted = parts.map { ($0, $0.count(paths, fileSystem, interner)) }
        log.withLock { log in
            for (part, contents) in counted { log.lossCounts.learn(part, contents) }
            log.lossCounts.countsParts = false
        }
    }

    /// The last checkpoint of a source that was appended and survived.
    public func checkpoint(of source: String) -> [UInt8]? {
        log.withLock { $0.checkpoint(of: source) }
    }

    /// Takes the series that the run before left without an end.
    public func takeUnended(of source: String?) -> [Series] {
        unended.withLock { unended in
            let taken = unended.filter { source == nil || $0.source == source }
            unended.removeAll { source == nil || $0.source == source }
            return taken
        }
    }

    /// What waits for a sink; never blocks on a disk.
    public func backlog(of sink: String) -> Backlog {
        handle(of: sink)?.figures.backlog ?? Backlog()
    }

    /// Whether what was appended survives a power cut, as far as configured.
    public var isSafe: Bool { log.withLock { $0.isSafe } }

    /// Whether everything is synced, no failure lasts, and none waits to be reported.
    ///
    /// A sink that works syncs the log repeatedly: without it nothing would fetch what waits.
    public var isSettled: Bool {
        log.withLock { $0.isSafe && $0.failures.areOver && $0.losses.isEmpty }
    }

    /// What all that is appended from now on has in common: a new segment begins with the next append.
    public var resource: Resource {
        get { log.withLock { $0.resource } }
        set { log.withLock { $0.resource = newValue } }
    }

    /// What is appended outlives the process, except what memory holds while the file system is full.
    public var isDurable: Bool { true }

    /// Whether the file system has no room, so that memory holds what is appended, or the oldest is dropped.
    public var isFull: Bool { fullness.isFull }

    /// How much was appended that may be lost in a power cut.
    public var unsafeBytes: Int64 { log.withLock { $0.unsafeBytes } }

    /// Losses that no append returned.
    public func takeLosses() -> [Loss] {
        log.withLock { log in
            defer { log.losses.removeAll() }
            return log.losses
        }
    }

    /// Failures of the storage.
    public func takeFailures() -> [SondeError] {
        log.withLock { $0.failures.take() }
    }

    /// A sink's position; nil when it is not registered.
    func handle(of sink: String) -> SinkHandle? {
        sinks.withLock { $0[sink] }
    }

    /// Every sink's position.
    var handles: [String: SinkHandle] {
        sinks.withLock { $0 }
    }
}

public import SondeDomain
public import SondeEngine
internal import Synchronization

/// The shared log on disk: segments of frames, and one cursor file per sink (docs/spec/spool.md).
///
/// May be called from any thread. Appending takes only the log's lock, under which nothing is ever synced; cutting,
/// reading and acknowledging take their sink's lock first; syncing has its own lock. Locks are taken in the order
/// sink, sync, log. The log's lock is held while the disk is written to: what waits for a sink can be read without it.
public final class DiskSpool: SpoolStore {
    // A sync that fails requires another: the file is written again, then synced.
    private static let syncRounds = 4

    /// Identifies the log: sequence numbers are unique within it.
    public let epoch: String

    private let folder: SpoolFolder
    private let log: Mutex<DiskLog>
    /// Its lock serializes syncs.
    private let lockFile: Mutex<any OpenFile>
    private let sinks = Mutex<[String: SinkHandle]>([:])
    private let unended: Mutex<[Series]>

    /// One sink's reading under its own lock.
    private final class SinkHandle: Sendable {
        struct Place {
            /// Nil for a live sink, or while it cannot be made.
            var cursor: CursorFile?
            /// Whether the cursor file names the end of the stretch under way.
            var hasRecordedCut = true
            var reader: StretchReader
            /// Those of the last stretch, whose memory the next one takes.
            var entries: [Batch.Entry] = []
        }

        let place: Mutex<Place>
        let figures: BacklogFigures

        init(_ cursor: CursorFile?, _ reader: StretchReader, _ figures: BacklogFigures) {
            place = Mutex(Place(cursor: cursor, reader: reader))
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
        folder = SpoolFolder(settings, fileSystem)
        let opened = try SpoolRecovery(folder, clock).open(newEpoch: newEpoch)
        epoch = opened.log.headers.epoch
        unended = Mutex(opened.unended)
        log = Mutex(opened.log)
        lockFile = Mutex(opened.lock)
        var handles: [String: SinkHandle] = [:]
        for (sink, reader) in opened.log.readers.sorted {
            handles[sink] = SinkHandle(opened.cursors[sink], StretchReader(folder), reader.figures)
        }
        sinks.withLock { [handles] in $0 = handles }
    }

    // MARK: Sinks

    /// Registers a sink; a durable one continues at its cursor.
    public func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        let handle = sinks.withLock { sinks in
            if let handle = sinks[sink] { return handle }
            let handle = SinkHandle(nil, StretchReader(folder), BacklogFigures())
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
                try? folder.fileSystem.unlink(folder.cursor(sink))
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
        try? folder.fileSystem.unlink(folder.cursor(sink))
    }

    private func handle(of sink: String) -> SinkHandle? {
        sinks.withLock { $0[sink] }
    }

    // MARK: Appending

    /// Appends one frame.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        let group = AppendGroup(points: points, documents: documents, checkpoint: checkpoint, instant: time)
        var losses: [OverflowLoss] = []
        while true {
            switch log.withLock({ $0.append(group, &losses) }) {
            // Read without the lock: it may take as long as the disk does.
            case .uncounted(let parts): count(parts)
            case .ended(let result):
                if folder.settings.synchronization == .always, case .taken(let stretch) = result {
                    _ = makeSafe(through: stretch.last)
                }
                return (result, losses)
            }
        }
    }

    /// Counts what is about to be lost.
    private func count(_ parts: [SegmentPart]) {
        let counted = parts.map { ($0, $0.count(folder)) }
        log.withLock { $0.losses.learn(counted) }
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

    /// What all that is appended from now on has in common: a new segment begins with the next append.
    public var resource: Resource {
        get { log.withLock { $0.resource } }
        set { log.withLock { $0.resource = newValue } }
    }

    /// The wall clock is right now.
    public func clockBecameRight() { log.withLock { $0.clockBecameRight() } }

    // MARK: Delivery

    /// The stretch under way, or a new one.
    ///
    /// A new one of a durable sink is returned once its end is in the cursor file and the log is synced through it.
    public func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        handle(of: sink)?.place.withLock { place in
            let begun = log.withLock { $0.beginStretch(for: sink, maxCount: maxCount, maxBytes: maxBytes) }
            guard let begun else { return nil }
            guard begun.kind == .durable else { return begun.stretch }
            guard openFiles(of: begun.stretch, &place.reader) else {
                if begun.isNew { log.withLock { $0.readers[sink]?.begin(through: nil) } }
                return nil
            }
            guard !begun.isNew else { return recordCut(begun.stretch, of: sink, &place) }
            // What overflow dropped of it must not be offered after it was offered without.
            return makeSafe(through: begun.stretch.last) ? begun.stretch : nil
        }
    }

    private func recordCut(_ stretch: Stretch, of sink: String, _ place: inout SinkHandle.Place) -> Stretch? {
        var reader: LogReader?
        if makeSafe(through: stretch.last) {
            reader = log.withLock { $0.readers[sink] }
        } else {
            // Only what is synced may be sent to a receiver: a number must not be reused for other contents.
            reader = log.withLock { log in
                let safeEnd = log.held.safeEnd
                log.readers[sink]?.shorten(before: safeEnd)
                return log.readers[sink]
            }
        }
        guard let reader, let stretch = reader.stretch else { return nil }
        place.hasRecordedCut = saveCursor(of: sink, reader, &place)
        guard place.hasRecordedCut || mayOfferUnrecorded(stretch) else {
            log.withLock { $0.readers[sink]?.begin(through: nil) }
            return nil
        }
        return stretch
    }

    /// Makes the stretch under way shorter; nil also when the new end could not be recorded.
    public func shorten(for sink: String, to count: Int) -> Stretch? {
        handle(of: sink)?.place.withLock { place in
            let (before, shortened) = log.withLock { log in
                let before = log.readers[sink]
                log.readers[sink]?.shorten(to: count)
                return (before, log.readers[sink])
            }
            guard let reader = shortened, let stretch = reader.stretch else { return nil }
            guard reader.kind == .durable, reader.cutEnd != before?.cutEnd else { return stretch }
            // After a crash the longer stretch that a cursor names would be offered again, with what is offered now.
            let isUnknownToDisk = !place.hasRecordedCut && mayOfferUnrecorded(stretch)
            guard keepsNumbers(of: before?.stretch), saveCursor(of: sink, reader, &place) || isUnknownToDisk else {
                log.withLock { $0.readers[sink]?.begin(through: before?.cutEnd) }
                return nil
            }
            return stretch
        }
    }

    /// Moves a sink's cursor past the stretch under way.
    public func acknowledge(_ stretch: Stretch, for sink: String) {
        handle(of: sink)?.place.withLock { place in
            guard let reader = log.withLock({ $0.passStretch(stretch, of: sink) }) else { return }
            place.reader.close()
            if reader.kind == .durable, !saveCursor(of: sink, reader, &place) { return }
            let segment = place.reader.segment
            let isGone = log.withLock { log in
                log.readers[sink]?.cursorIsSafe(reader.next)
                log.removeRead()
                return segment.map { log.held.segments.index(of: $0) == nil } ?? false
            }
            if isGone { place.reader.forgetPosition() }
        }
    }

    /// Whether the numbers of a stretch that its cursor is not to name any more stay given out: what memory holds of them is
    /// known from the mark of the end alone.
    private func keepsNumbers(of stretch: Stretch?) -> Bool {
        guard let stretch, let first = log.withLock({ $0.held.tail.first }), stretch.last >= first else { return true }
        return mayOfferUnrecorded(stretch)
    }

    /// Whether no later start can give the numbers of a stretch to other points, though no cursor names it.
    ///
    /// What only memory holds is lost in a crash, so that it is never offered again.
    private func mayOfferUnrecorded(_ stretch: Stretch) -> Bool {
        let (first, epochIsOnDisk, mark) = log.withLock { log in
            (log.held.tail.first, log.held.tail.epochIsOnDisk, log.held.tail.endMark)
        }
        guard let first, stretch.last >= first else { return false }
        // Where neither a segment nor the mark has the epoch, no later start continues its numbers.
        guard epochIsOnDisk || mark != nil else { return true }
        return !folder.isSynced || (try? mark?.sync()) != nil
    }

    /// Opens the files of a stretch; false when that failed for a reason that may be temporary.
    private func openFiles(of stretch: Stretch, _ reader: inout StretchReader) -> Bool {
        for (segment, file) in log.withLock({ $0.held.segments.within(stretch.range) }) {
            let first = segment.summary.first
            do throws(FileSystemError) {
                try reader.open(first, file)
            } catch {
                guard error.code != FileSystemError.notFound, error.code != FileSystemError.inputOutput else {
                    log.withLock { $0.markDamaged(segment: first, from: first, offset: 0, error.text) }
                    continue
                }
                folder.failures.note(error, "a segment could not be opened")
                return false
            }
        }
        return true
    }

    /// Writes a sink's position to its cursor file, to a new one if that fails; whether it is synced there.
    private func saveCursor(of sink: String, _ reader: LogReader, _ place: inout SinkHandle.Place) -> Bool {
        do throws(FileSystemError) {
            if try place.cursor?.write(next: reader.next, cutEnd: reader.cutEnd) != nil { return true }
        } catch {
            folder.failures.note(error, "the cursor of '\(sink)' could not be written")
        }
        return makeCursor(of: sink, reader, &place)
    }

    @discardableResult
    private func makeCursor(of sink: String, _ reader: LogReader, _ place: inout SinkHandle.Place) -> Bool {
        place.cursor = nil
        do throws(FileSystemError) {
            place.cursor = try CursorFile.create(
                sink, epoch: epoch, next: reader.next, cutEnd: reader.cutEnd, folder)
            if folder.isSynced { try folder.fileSystem.syncDirectory(folder.path) }
            return true
        } catch {
            folder.failures.note(error, "the cursor of '\(sink)' could not be made")
            return false
        }
    }

    // MARK: Reading

    /// The points and documents of a stretch in order, up to where another resource begins.
    ///
    /// Holds the sink's lock while it reads, never the log's. What cannot be read is left out, set aside and
    /// reported by ``takeLosses()``.
    public func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        let contents = handle(of: sink)?.place.withLock { place -> SpoolContents? in
            guard let reader = log.withLock({ $0.readers[sink] }) else { return nil }
            let wanted = SpoolFrameDecoder.Wanted(range: stretch.range, content: reader.wants)
            return read(wanted, &place.reader, reusing: &place.entries)
        }
        return contents.flatMap(\.self) ?? SpoolContents(resource: resource, last: stretch.last)
    }

    /// The points and documents of a range, for any sink: to show the contents of the spool.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        let (end, overflow) = first.addingReportingOverflow(UInt64(clamping: count))
        let range = SequenceRange(first: first, end: overflow ? .max : end)
        var reader = StretchReader(folder)
        var entries: [Batch.Entry] = []
        return read(
            SpoolFrameDecoder.Wanted(range: range, content: [.metrics, .snapshots]), &reader, reusing: &entries)
    }

    private func read(
        _ asked: SpoolFrameDecoder.Wanted, _ reader: inout StretchReader, reusing memory: inout [Batch.Entry]
    ) -> SpoolContents {
        // Under one lock: what memory holds may be written to the disk meanwhile.
        let (resource, wanted, segments, held) = log.withLock { log in
            var (held, wanted) = (SpoolFrameDecoder.Output(), asked)
            let (resource, end) = log.held.resource(in: asked.range)
            wanted.range.end = end
            log.held.tail.read(wanted, to: &held)
            return (resource ?? log.resource, wanted, log.held.segments.within(wanted.range), held)
        }
        var output = SpoolFrameDecoder.Output(points: SpooledPoints(reusing: &memory))
        if asked.content.contains(.metrics) {
            // A summary may say more than its file can hold.
            let numbers = segments.reduce(UInt64(0)) {
                $0 &+ min($1.segment.range.overlap(wanted.range).count, UInt64(clamping: $1.segment.fileBytes))
            }
            output.points.reserveCapacity(Int(clamping: numbers) + held.points.count)
        }
        for (segment, file) in segments {
            guard let damage = reader.read(wanted, segment, file, to: &output) else { continue }
            log.withLock {
                $0.markDamaged(
                    segment: segment.summary.first, from: damage.sequence, offset: damage.offset, damage.flaw)
            }
        }
        output.points.append(contentsOf: held.points)
        output.documents += held.documents
        memory = output.points.entries.forReuse
        return SpoolContents(
            resource: resource, last: wanted.range.end &- 1, points: output.points, documents: output.documents)
    }

    // MARK: Syncing

    /// Makes everything appended so far survive a power cut, drops what is too old, and checks whether the folder
    /// still exists.
    public func sync() {
        let isGone = lockFile.withLock { lock in
            guard (try? lock.isLinked()) == false else { return false }
            return restoreDirectory(&lock)
        }
        if isGone { restoreCursors() }
        while true {
            let uncounted = log.withLock { $0.expire() }
            if uncounted.isEmpty { break }
            count(uncounted)
        }
        log.withLock { $0.returnToDisk() }
        guard folder.isSynced || isGone else { return }
        _ = makeSafe(through: nil)
    }

    /// Syncs the log through a number, or all of it; whether that succeeded.
    private func makeSafe(through last: UInt64?) -> Bool {
        guard folder.isSynced else { return true }
        return lockFile.withLock { _ in
            for _ in 0..<Self.syncRounds {
                guard let plan = log.withLock({ $0.held.beginSync(through: last) }) else { return true }
                let outcome = plan.carryOut(folder)
                log.withLock { $0.held.segments.finishSync(outcome) }
            }
            return log.withLock { $0.held.isSafe(through: last) }
        }
    }

    /// Makes a removed folder again; what is still open is written again, the rest is lost and reported.
    private func restoreDirectory(_ lock: inout any OpenFile) -> Bool {
        folder.failures.note(.spoolDirectoryGone, "the folder was removed while the agent ran")
        guard log.withLock({ $0.held.segments.files.makeDirectories() }) else { return false }
        do throws(SondeError) {
            lock = try SpoolLock.take(folder)
        } catch {
            folder.failures.note(error.code, error.message)
            return false
        }
        log.withLock { $0.restore((try? folder.fileSystem.names(inDirectory: folder.path)) ?? []) }
        return true
    }

    private func restoreCursors() {
        for (sink, handle) in sinks.withLock({ $0 }) {
            handle.place.withLock { place in
                guard let reader = log.withLock({ $0.readers[sink] }), reader.kind == .durable else { return }
                guard place.cursor?.isLinked != true else { return }
                makeCursor(of: sink, reader, &place)
            }
        }
    }

    // MARK: Status

    /// What waits for a sink; never blocks on a disk.
    public func backlog(of sink: String) -> Backlog {
        handle(of: sink)?.figures.backlog ?? Backlog()
    }

    /// The size of the files and what waits.
    public func usage() -> SpoolUsage? {
        log.withLock { SpoolUsage($0, maxBytes: folder.settings.maxBytes) }
    }

    /// Whether what was appended survives a power cut, as far as configured.
    public var isSafe: Bool { log.withLock { $0.held.isSafe(folder.settings.synchronization) } }

    /// Whether everything is synced, no failure lasts, and none waits to be reported.
    ///
    /// A sink that works syncs the log repeatedly: without it nothing would fetch what waits.
    public var isSettled: Bool {
        log.withLock { $0.held.isSafe(folder.settings.synchronization) && $0.losses.isEmpty } && folder.failures.areOver
    }

    /// What is appended outlives the process, except what memory holds while the file system is full.
    public var isDurable: Bool { true }

    /// Whether the file system has no room, so that memory holds what is appended, or the oldest is dropped.
    public var isFull: Bool { folder.failures.isFull }

    /// How much was appended that may be lost in a power cut.
    public var unsafeBytes: Int64 { log.withLock { $0.held.segments.unsafeBytes } }

    /// Losses that no append returned.
    public func takeLosses() -> [Loss] { log.withLock { $0.losses.take() } }

    /// Failures of the storage.
    public func takeFailures() -> [SondeError] { folder.failures.take() }
}

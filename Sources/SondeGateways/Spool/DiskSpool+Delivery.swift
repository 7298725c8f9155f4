public import SondeEngine
internal import Synchronization

extension DiskSpool {
    /// The stretch under way, or a new one.
    ///
    /// A new one of a durable sink is returned once its end is in the cursor file and the log is synced through it.
    public func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        handle(of: sink)?.place.withLock { place in
            let begun = log.withLock { $0.beginStretch(for: sink, maxCount: maxCount, maxBytes: maxBytes) }
            guard let begun else { return nil }
            guard begun.kind == .durable else { return begun.stretch }
            guard openFiles(of: begun.stretch, &place) else {
                if begun.isNew { log.withLock { $0.abandonStretch(of: sink) } }
                return nil
            }
            guard !begun.isNew else { return recordCut(begun.stretch, of: sink, &place) }
            // What overflow dropped of it must not be offered after it was offered without.
            return makeSafe(through: begun.stretch.last) ? begun.stretch : nil
        }
    }

    /// Makes the stretch under way shorter; nil also when the new end could not be recorded.
    public func shorten(for sink: String, to count: Int) -> Stretch? {
        handle(of: sink)?.place.withLock { place in
            let (before, shortened) = log.withLock { ($0.readers[sink], $0.shortenStretch(of: sink, to: count)) }
            guard let reader = shortened, let stretch = reader.stretch else { return nil }
            guard reader.kind == .durable, reader.cutEnd != before?.cutEnd else { return stretch }
            // After a crash the longer stretch that a cursor names would be offered again, with what is offered now.
            let isUnknownToDisk = !place.hasRecordedCut && mayOfferUnrecorded(stretch)
            guard saveCursor(of: sink, reader, &place) || isUnknownToDisk else {
                log.withLock { $0.readers[sink]?.cutEnd = before?.cutEnd }
                return nil
            }
            return stretch
        }
    }

    /// Moves a sink's cursor past the stretch under way.
    public func acknowledge(_ stretch: Stretch, for sink: String) {
        handle(of: sink)?.place.withLock { place in
            guard let reader = log.withLock({ $0.passStretch(stretch, of: sink) }) else { return }
            place.files.removeAll()
            if reader.kind == .durable, !saveCursor(of: sink, reader, &place) { return }
            let keepsSegment = log.withLock { log in
                log.cursorIsSafe(sink, reader.next)
                return place.segment.map { log.index(ofSegment: $0.first) != nil } ?? true
            }
            if !keepsSegment { place.segment = nil }
        }
    }

    private func recordCut(_ stretch: Stretch, of sink: String, _ place: inout SinkPlace) -> Stretch? {
        var reader: LogReader?
        if makeSafe(through: stretch.last) {
            reader = log.withLock { $0.readers[sink] }
        } else {
            // Only what is synced may be sent to a receiver: a number must not be reused for other contents.
            reader = log.withLock { $0.shortenToSafe(sink) }
        }
        guard let reader, let stretch = reader.stretch else { return nil }
        place.hasRecordedCut = saveCursor(of: sink, reader, &place)
        guard place.hasRecordedCut || mayOfferUnrecorded(stretch) else {
            log.withLock { $0.abandonStretch(of: sink) }
            return nil
        }
        return stretch
    }

    /// Whether no later start can give the numbers of a stretch to other points, though no cursor names it.
    ///
    /// What only memory holds is lost in a crash, so that it is never offered again.
    private func mayOfferUnrecorded(_ stretch: Stretch) -> Bool {
        let (isInMemory, epochIsOnDisk, mark) = log.withLock { log in
            (log.holdsInMemory(stretch), log.epochIsOnDisk, log.endMark)
        }
        guard isInMemory else { return false }
        guard epochIsOnDisk else { return true }
        return settings.synchronization == .none || (try? mark?.sync()) != nil
    }

    /// Opens the files of a stretch; false when that failed for a reason that may be temporary.
    private func openFiles(of stretch: Stretch, _ place: inout SinkPlace) -> Bool {
        let range = SequenceRange(first: stretch.first, end: stretch.last &+ 1)
        let segments = log.withLock { log in
            log.segments(in: range).map { ($0.summary.first, log.openFile(ofSegment: $0.summary.first)) }
        }
        for (first, file) in segments where place.files[first] == nil {
            do throws(FileSystemError) {
                place.files[first] = try openSegment(first, file)
            } catch {
                guard error.code != FileSystemError.notFound, error.code != FileSystemError.inputOutput else {
                    log.withLock { $0.markDamaged(segment: first, from: first, offset: 0, error.text) }
                    continue
                }
                log.withLock { $0.failures.note(error, "a segment could not be opened") }
                return false
            }
        }
        return true
    }

    /// A segment's file, opened unless it is open.
    func openSegment(_ first: UInt64, _ known: (any OpenFile)?) throws(FileSystemError) -> any OpenFile {
        if let known { return known }
        return try PatientReading.run { () throws(FileSystemError) in
            try fileSystem.open(paths.segment(first), .read)
        }
    }

    /// Writes a sink's position to its cursor file, to a new one if that fails; whether it is synced there.
    @discardableResult
    func saveCursor(of sink: String, _ reader: LogReader, _ place: inout SinkPlace) -> Bool {
        do throws(FileSystemError) {
            if try place.cursor?.write(next: reader.next, cutEnd: reader.cutEnd, settings.synchronization) != nil {
                return true
            }
        } catch {
            log.withLock { $0.failures.note(error, "the cursor of '\(sink)' could not be written") }
        }
        return makeCursor(of: sink, reader, &place)
    }

    /// Makes a new cursor file for a sink.
    @discardableResult
    func makeCursor(of sink: String, _ reader: LogReader, _ place: inout SinkPlace) -> Bool {
        place.cursor = nil
        do throws(FileSystemError) {
            place.cursor = try CursorFile.create(
                paths.cursor(sink), CursorSlot.Owner(epoch: epoch, sink: sink), next: reader.next,
                cutEnd: reader.cutEnd, fileSystem, settings.synchronization)
            if settings.synchronization != .none { try fileSystem.syncDirectory(settings.directory) }
            return true
        } catch {
            log.withLock { $0.failures.note(error, "the cursor of '\(sink)' could not be made") }
            return false
        }
    }
}

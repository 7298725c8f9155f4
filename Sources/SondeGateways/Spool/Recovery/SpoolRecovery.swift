internal import SondeDomain
internal import SondeEngine

/// Opens the spool that an earlier run left, in any state.
///
/// Contents never prevent the start; only the lock and the file system do.
struct SpoolRecovery {
    /// What was opened.
    struct Opened {
        var log: DiskLog
        var lock: any OpenFile
        var cursors: [String: CursorFile]
        /// The series that had not ended when the run before did.
        var unended: [Series]
    }

    private let folder: SpoolFolder
    private let clock: any Clock

    init(_ folder: SpoolFolder, _ clock: any Clock) {
        self.folder = folder
        self.clock = clock
    }

    /// Opens the spool; `newEpoch` names the log if it has to be started again.
    func open(newEpoch: SpoolEpoch) throws(SondeError) -> Opened {
        try makeDirectory()
        let lock = try SpoolLock.take(folder)
        let names = try self.names()
        if let version = laterVersion(names) {
            try setAside(version)
            return try open(newEpoch: newEpoch)
        }
        var times = LogTimes(clock)
        var scan = SegmentScan(folder, times)
        scan.read(names.compactMap(SpoolFolder.segmentFirst).sorted())
        let (endMark, isEndUnknown) = try openEndMark(names)
        let epochs = epochs(scan, endMark?.found)
        let cursors = openCursors(names, scan, epochs)
        let memoryEnd = memoryEnd(endMark?.found, epochs)
        let next = max(nextSequence(scan, cursors.slots), memoryEnd)
        let isForeign = isForeign(scan)
        let epoch = isForeign || isEndUnknown ? newEpoch.text : epoch(scan, cursors, newEpoch)
        let readers = readers(cursors.slots, scan, next)
        mark(readers, scan, &times)
        var log = DiskLog(folder, times, scan, endMark, epoch: epoch, nextSequence: next, readers: readers)
        let foreign = isForeign ? disown(&log) : []
        let unended = log.held.segments.unended
        do throws(FileSystemError) {
            _ = try log.openSegment(prepare: makeSafe)
        } catch {
            throw .spool(.spoolUnusable, folder.failures.take().first?.message ?? "no segment could be made")
        }
        // From here on the start has succeeded, and what it found is reported.
        log.held.segments.setAside(foreign)
        settle(&log, scan, memoryEnd, isCutShort: scan.isCutShort || isEndUnknown)
        for finding in cursors.findings { folder.failures.note(.spoolCursorLost, finding) }
        return Opened(log: log, lock: lock, cursors: adopt(cursors, epoch), unended: unended)
    }

    /// Syncs the new segment before it has its name: it may replace the only one that holds checkpoints.
    private func makeSafe(_ file: any OpenFile) throws(FileSystemError) {
        if folder.isSynced { try file.syncData() }
    }

    /// Whether another machine wrote the log: its disk was cloned.
    private func isForeign(_ scan: SegmentScan) -> Bool {
        guard let own = folder.settings.machine, let other = scan.machine else { return false }
        return own != other
    }

    private func makeDirectory() throws(SondeError) {
        do throws(FileSystemError) {
            try folder.fileSystem.makeDirectory(folder.path)
        } catch {
            guard error.code != FileSystemError.exists else { return }
            throw unusable(error)
        }
    }

    /// The version of the newest segment where a later version of the agent wrote it.
    ///
    /// A start begins a segment before it writes anything else, so that this is the version of the whole folder.
    private func laterVersion(_ names: [String]) -> UInt16? {
        guard let first = names.compactMap(SpoolFolder.segmentFirst).max(), let file = try? folder.open(first) else {
            return nil
        }
        let start = try? PatientReading.run { () throws(FileSystemError) in
            try file.readWhole(SegmentHeader.fixedLength, at: 0)
        }
        return (start ?? []).withUnsafeBytes(SegmentHeader.laterVersion)
    }

    /// Gives the folder another name, unchanged, so that the later version finds all of it when it is back.
    ///
    /// Throws where there is a folder of that name: what waits in either is not to be lost.
    private func setAside(_ version: UInt16) throws(SondeError) {
        let aside = "\(folder.path).v\(version)"
        let found = "its format is version \(version), and this agent knows \(SegmentHeader.version)"
        do throws(FileSystemError) {
            try folder.fileSystem.rename(folder.path, to: aside)
            if let slash = aside.lastIndex(of: "/") {
                try folder.fileSystem.syncDirectory(String(aside[...slash]))
            }
        } catch {
            let reason = "\(found); it cannot be set aside as '\(aside)': \(error.text)"
            throw .spool(.spoolVersionUnknown, "the spool '\(folder.path)': \(reason)")
        }
        folder.failures.note(.spoolVersionUnknown, "\(found); it was set aside as '\(aside)'")
    }

    private func names() throws(SondeError) -> [String] {
        do throws(FileSystemError) {
            let names = try PatientReading.run { () throws(FileSystemError) in
                try folder.fileSystem.names(inDirectory: folder.path)
            }
            for name in names where name.hasSuffix(".new") {
                try? folder.fileSystem.unlink("\(folder.path)/\(name)")
            }
            return names
        } catch {
            throw unusable(error)
        }
    }

    private func unusable(_ error: FileSystemError) -> SondeError {
        .spool(.spoolUnusable, "the spool '\(folder.path)' cannot be used: \(error.text)")
    }

    /// The cursors that were found and those that are missing.
    private struct Cursors {
        var files: [String: CursorFile] = [:]
        /// The position of each sink; nil: it is not known.
        var slots: [String: CursorSlot?] = [:]
        var findings: [String] = []
    }

    private func openCursors(_ names: [String], _ scan: SegmentScan, _ epochs: Set<String>?) -> Cursors {
        var cursors = Cursors()
        let present = names.compactMap(SpoolFolder.cursorSink)
        for sink in present {
            let found = try? PatientReading.run { () throws(FileSystemError) in
                try CursorFile.open(sink, epochs, folder)
            }
            cursors.slots.updateValue(found?.slot, forKey: sink)
            if let found, found.slot != nil {
                cursors.files[sink] = found.file
            } else {
                let flaw = found?.isForeign == true ? "is of another sink or another log" : "cannot be read"
                cursors.findings.append("the cursor of '\(sink)' \(flaw)")
            }
        }
        for sink in Set(scan.places.keys).subtracting(present).sorted() {
            cursors.slots.updateValue(nil, forKey: sink)
            cursors.findings.append("the cursor of '\(sink)' is missing")
        }
        return cursors
    }

    /// Syncs the positions of this run; a cursor where that fails is made again when its sink is registered.
    private func adopt(_ cursors: Cursors, _ epoch: String) -> [String: CursorFile] {
        var adopted: [String: CursorFile] = [:]
        for (sink, file) in cursors.files {
            guard let slot = cursors.slots[sink].flatMap(\.self) else { continue }
            var file = file
            guard (try? file.adopt(slot, epoch: epoch)) != nil else { continue }
            adopted[sink] = file
        }
        return adopted
    }

    private func nextSequence(_ scan: SegmentScan, _ slots: [String: CursorSlot?]) -> UInt64 {
        var next = max(1, scan.end)
        for case let slot? in slots.values {
            next = max(next, slot.next, slot.cutEnd &+ 1)
        }
        return next
    }

    /// The epochs that cursors of this log may name; nil: no segment has one.
    ///
    /// That of a run which had no room for a segment is only in the mark of the end of its numbers.
    private func epochs(_ scan: SegmentScan, _ found: EndMark.End?) -> Set<String>? {
        guard let found, found.end >= scan.end else { return scan.epochs }
        return scan.epochs?.union([found.epoch])
    }

    /// The mark of the end of numbers, and whether there is one that cannot be read: what memory held is not known then,
    /// and none of its numbers may be given out again.
    private func openEndMark(_ names: [String]) throws(SondeError) -> (EndMark?, isUnknown: Bool) {
        do throws(FileSystemError) {
            return try PatientReading.run { () throws(FileSystemError) in
                (try EndMark(folder.end, folder.fileSystem), false)
            }
        } catch {
            let name = folder.end.split(separator: "/").last.map(String.init)
            guard names.contains(where: { $0 == name }), !error.isOutOfSpace else { return (nil, false) }
            // What passes, such as too few descriptors, must not cost what the mark says.
            guard error.code == FileSystemError.inputOutput else { throw unusable(error) }
            try? folder.fileSystem.unlink(folder.end)
            folder.failures.note(
                .spoolDamaged, "'\(folder.end)' cannot be read: what memory held at the end is lost, uncounted")
            return (nil, true)
        }
    }

    /// One past the last number that only memory has held.
    private func memoryEnd(_ found: EndMark.End?, _ epochs: Set<String>?) -> UInt64 {
        guard let found, epochs?.contains(found.epoch) ?? true else { return 0 }
        return found.end
    }

    /// The log keeps its epoch while nothing in it can have been lost undetected.
    private func epoch(_ scan: SegmentScan, _ cursors: Cursors, _ new: SpoolEpoch) -> String {
        guard folder.isSynced, let epoch = scan.epoch else { return new.text }
        // Without a cursor it is not known how far numbers were offered.
        return cursors.slots.values.contains { $0 == nil } ? new.text : epoch
    }

    /// The position of each sink; without a cursor, what is after the position in the newest header is offered again.
    private func readers(_ slots: [String: CursorSlot?], _ scan: SegmentScan, _ end: UInt64) -> [String: LogReader] {
        let begin = scan.begin ?? end
        var readers: [String: LogReader] = [:]
        for (sink, slot) in slots {
            let next = slot?.next ?? max(begin, scan.places[sink] ?? begin)
            readers[sink] = LogReader(leftAt: next, cutEnd: slot.flatMap { $0.cutEnd > 0 ? $0.cutEnd : nil })
        }
        return readers
    }

    /// Notes when what each sink has to read next was appended: its segment may have begun long before.
    private func mark(_ readers: [String: LogReader], _ scan: SegmentScan, _ times: inout LogTimes) {
        for next in Set(readers.values.map(\.next)).sorted() {
            guard let segment = scan.segments.first(where: { $0.summary.first <= next && next < $0.summary.end })
            else { continue }
            let time = try? PatientReading.run { () throws(FileSystemError) in try segment.time(of: next, folder) }
            times.mark(next, at: times.instant(of: time ?? segment.summary.oldest))
        }
    }

    /// Discards what another machine has collected: its own agent has the same, and delivers it.
    ///
    /// Returns what to move away once the new segment is there. The cursors stay: numbers are not assigned again.
    private func disown(_ log: inout DiskLog) -> [LogSegment] {
        folder.failures.note(.spoolForeign, "another machine wrote it; what waits is set aside")
        for segment in log.held.segments.all where segment.summary.count > 0 {
            // No sink waits for the log yet.
            let parts = log.readers.losses(of: segment, log.losses).uncounted
            log.losses.learn(parts.map { ($0, $0.count(folder)) })
            log.losses.report(.spoolForeign, log.readers.losses(of: segment, log.losses).losses)
            log.losses.forgetCounts()
            log.gaps.insert(.foreign, segment.range)
        }
        return log.held.segments.disown()
    }

    /// Reports what is missing and performs the repairs, once the new segment is there.
    private func settle(_ log: inout DiskLog, _ scan: SegmentScan, _ memoryEnd: UInt64, isCutShort: Bool) {
        for (code, text) in scan.findings { folder.failures.note(code, text) }
        reportMissing(&log, scan, memoryEnd, isCutShort: isCutShort)
        log.held.segments.repair(scan.repairs)
        log.recount()
        log.removeRead()
        guard folder.isSynced else { return }
        for (first, error) in log.held.segments.doubtLeftovers(from: scan.safeEnd) {
            log.markDamaged(segment: first, from: first, offset: 0, error.text)
        }
    }

    /// Reports numbers that are nowhere; those behind the segments were in memory, if any were.
    private func reportMissing(
        _ log: inout DiskLog,
        _ scan: SegmentScan,
        _ memoryEnd: UInt64,
        isCutShort: Bool
    ) {
        var present = SequenceRanges(bound: .max)
        for gap in log.gaps.ranges { present.insert(gap) }
        for segment in log.held.segments.all { present.insert(segment.range) }
        // Numbers below the mark and the cursors were given out, so that it is known how many are lost.
        let givenOut = log.readers.all.reduce(memoryEnd) { max($0, $1.next, ($1.cutEnd ?? 0) &+ 1) }
        let unknown = present.missing(in: scan.unknownEnd).compactMap { range in
            let rest = SequenceRange(first: max(range.first, min(givenOut, range.end)), end: range.end)
            return rest.isEmpty ? nil : rest
        }
        for range in unknown { present.insert(range) }
        let end = log.held.nextSequence
        let missing = present.missing(in: SequenceRange(first: log.readers.next ?? end, end: end))
        // A cursor may know a later end than the mark: it is recorded before the mark is synced.
        let memory = SequenceRange(first: scan.end, end: memoryEnd > scan.end ? end : memoryEnd)
        for range in missing {
            let inMemory = range.overlap(memory)
            let onDisk = SequenceRange(first: range.first, end: inMemory.isEmpty ? range.end : inMemory.first)
            log.lose(onDisk, .spoolDamaged, .damaged)
            log.lose(inMemory, .spoolMemoryLost, .memory)
        }
        for range in unknown { log.gaps.insert(.damaged, range) }
        guard !unknown.isEmpty || (isCutShort && missing.isEmpty) else { return }
        // What was cut off had no known numbers.
        for (sink, _) in log.readers.sorted { log.losses.report(Loss(.spoolDamaged, component: sink)) }
    }
}

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

    private let settings: DiskSpoolSettings
    private let paths: SpoolPaths
    private let fileSystem: any FileSystem
    private let clock: any Clock
    private let interner: SeriesInterner

    init(
        _ settings: DiskSpoolSettings,
        _ fileSystem: any FileSystem,
        _ clock: any Clock,
        _ interner: SeriesInterner
    ) {
        self.settings = settings
        paths = SpoolPaths(directory: settings.directory)
        self.fileSystem = fileSystem
        self.clock = clock
        self.interner = interner
    }

    /// Opens the spool; `newEpoch` names the log if it has to be started again.
    func open(newEpoch: SpoolEpoch) throws(SondeError) -> Opened {
        try makeDirectory()
        let lock = try SpoolLock.take(paths, fileSystem)
        let names = try self.names()
        var scan = SegmentScan(paths, fileSystem, interner)
        scan.read(names.compactMap(SpoolPaths.segmentFirst).sorted())
        let cursors = openCursors(names, scan)
        let endMark = try? EndMark(paths.end, fileSystem)
        let memoryEnd = memoryEnd(endMark?.found, scan)
        let next = max(nextSequence(scan, cursors.slots), memoryEnd)
        let isForeign = isForeign(scan)
        let epoch = isForeign ? newEpoch.text : epoch(scan, cursors, newEpoch)
        var log = DiskLog(
            settings: settings,
            fileSystem: fileSystem,
            clock: clock,
            interner: interner,
            epoch: epoch,
            earlier: earlier(than: epoch, scan),
            quarantine: makeQuarantine()
        )
        log.endMark = endMark
        log.epochIsOnDisk = epoch == scan.epoch
        log.adopt(scan, nextSequence: next, cursors.slots)
        let foreign = isForeign ? log.disown() : []
        let unended = log.unended.series
        if case .failed = log.openSegment(prepare: makeSafe) {
            let reason = log.failures.take().first?.message ?? "no segment could be made"
            throw .spool(.spoolUnusable, reason)
        }
        // From here on the start has succeeded, and what it found is reported.
        log.setAside(foreign: foreign)
        log.settle(scan, memoryEnd: memoryEnd)
        for finding in cursors.findings { log.failures.note(.spoolCursorLost, finding) }
        return Opened(log: log, lock: lock, cursors: adopt(cursors, epoch), unended: unended)
    }

    /// Syncs the new segment before it has its name: it may replace the only one that holds checkpoints.
    private func makeSafe(_ file: any OpenFile) throws(FileSystemError) {
        if settings.synchronization != .none { try file.syncData() }
    }

    /// Whether another machine wrote the log: its disk was cloned.
    private func isForeign(_ scan: SegmentScan) -> Bool {
        guard let own = settings.machine, let other = scan.machine else { return false }
        return own != other
    }

    private func makeQuarantine() -> Quarantine {
        Quarantine(fileSystem, directory: paths.quarantine, bound: settings.maxBytes / 8)
    }

    private func makeDirectory() throws(SondeError) {
        do throws(FileSystemError) {
            try fileSystem.makeDirectory(settings.directory)
        } catch {
            guard error.code != FileSystemError.exists else { return }
            throw unusable(error)
        }
    }

    private func names() throws(SondeError) -> [String] {
        do throws(FileSystemError) {
            let names = try PatientReading.run { () throws(FileSystemError) in
                try fileSystem.names(inDirectory: settings.directory)
            }
            for name in names where name.hasSuffix(".new") {
                try? fileSystem.unlink("\(settings.directory)/\(name)")
            }
            return names
        } catch {
            throw unusable(error)
        }
    }

    private func unusable(_ error: FileSystemError) -> SondeError {
        .spool(.spoolUnusable, "the spool '\(settings.directory)' cannot be used: \(error.text)")
    }

    /// The cursors that were found and those that are missing.
    private struct Cursors {
        var files: [String: CursorFile] = [:]
        /// The position of each sink; nil: it is not known.
        var slots: [String: CursorSlot?] = [:]
        var findings: [String] = []
    }

    private func openCursors(_ names: [String], _ scan: SegmentScan) -> Cursors {
        var cursors = Cursors()
        let present = names.compactMap(SpoolPaths.cursorSink)
        for sink in present {
            let found = try? PatientReading.run { () throws(FileSystemError) in
                try CursorFile.open(paths.cursor(sink), of: sink, scan.epochs, fileSystem)
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
            guard (try? file.adopt(slot, epoch: epoch, settings.synchronization)) != nil else { continue }
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

    /// One past the last number that only memory has held.
    private func memoryEnd(_ found: EndMark.End?, _ scan: SegmentScan) -> UInt64 {
        guard let found, scan.epochs?.contains(found.epoch) ?? true else { return 0 }
        return found.end
    }

    /// The log keeps its epoch while nothing in it can have been lost undetected.
    private func epoch(_ scan: SegmentScan, _ cursors: Cursors, _ new: SpoolEpoch) -> String {
        guard settings.synchronization != .none, let epoch = scan.epoch else { return new.text }
        // Without a cursor it is not known how far numbers were offered.
        return cursors.slots.values.contains { $0 == nil } ? new.text : epoch
    }

    /// The former epochs of the log; cursors that were not written since still have them.
    private func earlier(than epoch: String, _ scan: SegmentScan) -> [String] {
        let known = (scan.epoch.map { [$0] } ?? []) + scan.earlier
        return Array(known.filter { $0 != epoch }.prefix(SegmentHeader.mostEarlier))
    }
}

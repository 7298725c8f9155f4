internal import SondeDomain
internal import SondeEngine

/// Opens the spool that an earlier run left, whatever state it is in.
///
/// Content never keeps it from starting; only the lock and the file system do.
struct SpoolRecovery {
    /// What was opened.
    struct Opened {
        var log: DiskLog
        var lock: any OpenFile
        var cursors: [String: CursorFile]
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

    /// Opens the spool; `newEpoch` names the log if it has to be started anew.
    func open(newEpoch: SpoolEpoch) throws(SondeError) -> Opened {
        try makeDirectory()
        let lock = try SpoolLock.take(paths, fileSystem)
        let names = try self.names()
        var scan = SegmentScan(paths, fileSystem, interner)
        scan.read(names.compactMap(SpoolPaths.segmentFirst).sorted())
        let (cursors, slots, unreadable) = openCursors(names)
        let next = nextSequence(scan, slots)
        let isForeign = isForeign(scan)
        var log = DiskLog(
            settings: settings,
            fileSystem: fileSystem,
            clock: clock,
            interner: interner,
            epoch: isForeign ? newEpoch.text : epoch(scan, cursorsAreUnreadable: unreadable, newEpoch),
            quarantine: makeQuarantine()
        )
        log.adopt(scan, nextSequence: next, slots)
        let foreign = isForeign ? log.disown() : []
        if case .failed = log.openSegment(prepare: makeSafe) {
            let reason = log.failures.take().first?.message ?? "no segment could be made"
            throw .spool(.spoolUnusable, reason)
        }
        // From here on the start has succeeded, and what it found is told.
        log.setAside(foreign: foreign)
        log.settle(scan)
        return Opened(log: log, lock: lock, cursors: cursors)
    }

    /// Makes the new segment safe before it has its name: it may take the place of the only one that holds checkpoints.
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

    private func openCursors(
        _ names: [String]
    ) -> (files: [String: CursorFile], slots: [String: CursorSlot?], unreadable: Bool) {
        var files: [String: CursorFile] = [:]
        var slots: [String: CursorSlot?] = [:]
        for sink in names.compactMap(SpoolPaths.cursorSink) {
            let opened = try? PatientReading.run { () throws(FileSystemError) in
                try CursorFile.open(paths.cursor(sink), fileSystem)
            }
            guard let (file, slot) = opened else {
                slots.updateValue(nil, forKey: sink)
                continue
            }
            // Without one the cursor is made anew when its sink is registered.
            if settings.synchronization == .none || (try? file.sync()) != nil { files[sink] = file }
            slots.updateValue(slot, forKey: sink)
        }
        return (files, slots, slots.values.contains { $0 == nil })
    }

    private func nextSequence(_ scan: SegmentScan, _ slots: [String: CursorSlot?]) -> UInt64 {
        var next = max(1, scan.end)
        for case let slot? in slots.values {
            next = max(next, slot.next, slot.cutEnd &+ 1)
        }
        return next
    }

    /// The log goes on under its name while nothing under it can have been lost without a trace.
    private func epoch(_ scan: SegmentScan, cursorsAreUnreadable: Bool, _ new: SpoolEpoch) -> String {
        guard settings.synchronization != .none, let epoch = scan.epoch else { return new.text }
        // Without a cursor nobody knows how far numbers were offered.
        return cursorsAreUnreadable ? new.text : epoch
    }
}

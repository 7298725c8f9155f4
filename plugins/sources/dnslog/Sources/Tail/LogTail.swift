internal import Glibc
internal import SondeDomain

/// Follows logs through rotations and hands on their lines.
///
/// One thread uses it, in this order, repeatedly: ``wait(_:until:at:)``, ``readLines(at:_:)``, and at the interval
/// ``checkpoint(at:)`` beside the totals of the lines. A checkpoint covers exactly the lines handed on so far, so that
/// both are committed as one or neither.
final class LogTail {
    /// Whether there is more to read right now.
    enum Progress {
        case more
        case drained
    }

    private let settings: TailSettings
    private let standardInput: Int32
    private let buffer: ReadBuffer
    let watch: FileWatch
    private(set) var paths: [FollowedPath] = []
    private var notes = TailNotes()
    private var nextID = 0
    private var nextScan: MonotonicInstant?
    private var nextPath = 0
    private(set) var progress = Progress.drained
    private var hasSaidPolling = false
    /// Where the last checkpoint had stopped, for names that turn up later.
    private var known: TailCheckpoint?
    /// What logs had been that a wildcard matched and that were gone: a file may turn up again under another name.
    private var former: [FileRecord] = []
    /// When the tail was started.
    private var began: Timestamp?

    private static let formerLimit = 64

    /// Opens nothing.
    init(_ settings: TailSettings, standardInput: Int32 = STDIN_FILENO, watch: FileWatch = FileWatch()) {
        self.settings = settings
        self.watch = watch
        self.standardInput = standardInput
        buffer = ReadBuffer(lineLimit: settings.limits.lineLength)
    }

    /// What was read since the tail was made.
    var counts: TailCounts { notes.counts }

    /// Files open at the moment.
    var openFiles: Int { paths.reduce(0) { $0 + $1.held.count + ($1.current == nil ? 0 : 1) } }

    /// What keeps all that is followed from being read; nil: something is, or there are only wildcards, whose files come and
    /// go.
    var trouble: TailEvent? {
        guard let named = paths.first(where: { !$0.isMatch }), paths.allSatisfy(\.isBlind) else { return nil }
        return named.complaint
    }

    /// The path that a line came from.
    func path(of id: FileID) -> String? { paths.first { $0.id == id }?.path }

    /// What happened to the files since the last question.
    func takeEvents() -> [TailEvent] { notes.takeEvents() }

    /// Opens the files: each continues at the position in `checkpoint`, or begins as configured.
    ///
    /// A path without a file is no failure: it is looked for.
    func start(_ checkpoint: [UInt8]?, at now: TailInstant) {
        watch.begin()
        if let checkpoint {
            known = TailCheckpoint(checkpoint)
            if known == nil {
                notes.add(.checkpointUnreadable)
                for path in settings.paths {
                    notes.add(.lost(path: path, TailLoss(reason: .checkpoint, from: nil, to: now.wall)))
                }
            }
        }
        let names = settings.paths.flatMap { path in matches(of: path).map { (path: $0, pattern: path) } }
        // A file that was renamed to another followed name is claimed there first.
        for name in names where known?.entry(for: name.path) == nil { follow(name.path, name.pattern, at: now) }
        for name in names where known?.entry(for: name.path) != nil { follow(name.path, name.pattern, at: now) }
        followFormerMatches(at: now)
        forgetFollowed()
        began = now.wall
        scheduleScan(now)
    }

    /// Hands on the whole lines that have come, a few megabytes at most.
    ///
    /// The bytes are valid during the call only. Never waits.
    @discardableResult
    func readLines(at now: TailInstant, _ body: (UnsafeRawBufferPointer, FileID) -> Void) -> Progress {
        scan(now)
        // Moved out, so that the body may read the counts.
        var notes = TailNotes()
        swap(&notes, &self.notes)
        self.notes.counts = notes.counts
        defer { swap(&notes, &self.notes) }
        var budget = settings.limits.bytesPerTurn
        progress = .drained
        for step in 0..<paths.count {
            let index = (nextPath &+ step) % paths.count
            if paths[index].drain(buffer, &notes, &budget, at: now, paths, body) {
                // The next turn begins after it, so that no file waits for one that is written to without end.
                nextPath = index + 1
                progress = .more
                break
            }
        }
        for path in paths { path.closeQuiet(buffer, &notes, at: now, body) }
        boundHeld(&notes, body)
        return progress
    }

    /// How far everything handed on so far reaches.
    func checkpoint(at time: Timestamp) -> [UInt8] {
        var entries = paths.filter { $0.pipe == nil }.map { path in
            TailCheckpoint.Entry(
                key: TailCheckpoint.key(of: path.path),
                modified: path.lastModified,
                current: path.current?.record,
                held: path.held.map(\.record),
                settled: path.settled
            )
        }
        for pattern in settings.paths where LogPattern.isPattern(pattern) {
            entries.append(.init(pattern: pattern))
        }
        return TailCheckpoint(time: time, entries: entries).bytes()
    }

    /// Follows names that have come and lets go of those that are gone.
    private func scan(_ now: TailInstant) {
        let isDue = nextScan.map { now.monotonic >= $0 } ?? true
        var news = watch.drain()
        news.namesChanged = news.namesChanged || isDue
        if news.namesChanged { lookForNames(news, now) }
        if isDue { scheduleScan(now) }
        for path in paths { path.look(&notes, at: now, paths, news) }
    }

    private func lookForNames(_ news: FileWatch.News, _ now: TailInstant) {
        for pattern in settings.paths where LogPattern.isPattern(pattern) {
            for path in matches(of: pattern) where !paths.contains(where: { $0.path == path }) {
                follow(path, pattern, at: now)
            }
            reportMissed(LogPattern(pattern), news, now)
        }
        forgetFollowed()
        for path in paths where path.isMatch && path.isGone {
            paths.removeAll { $0 === path }
            former = (former + path.settled).suffix(Self.formerLimit)
            notes.add(.forgotten(path.id))
        }
    }

    /// Logs that a wildcard would have matched came and went between two looks.
    private func reportMissed(_ pattern: LogPattern, _ news: FileWatch.News, _ now: TailInstant) {
        let followed = paths.map(\.path)
        for name in watch.born(in: pattern.directory, news) where pattern.matches(name, followed: followed) {
            let path = pattern.directory.file(name)
            guard !followed.contains(path), access(path, F_OK) != 0 else { continue }
            notes.add(.lost(path: path, TailLoss(reason: .rotatedAway, from: nil, to: now.wall)))
        }
    }

    /// Names that a wildcard matched before the agent was down, and that nothing has now: their files may have been rotated.
    private func followFormerMatches(at now: TailInstant) {
        let patterns = settings.paths.filter(LogPattern.isPattern)
        let followed = Set((paths.map(\.path) + patterns).map(TailCheckpoint.key))
        let gone = (known?.entries ?? []).filter { !followed.contains($0.key) }
        guard !gone.isEmpty else { return }
        let keys = Set(gone.map(\.key))
        let former = patterns.map { (pattern: $0, paths: LogPattern($0).formerPaths(keys, settings.limits)) }
        for entry in gone {
            guard let record = entry.held.first ?? entry.current, !isOpen(record) else { continue }
            if let found = former.first(where: { $0.paths[entry.key] != nil }), let path = found.paths[entry.key] {
                follow(path, found.pattern, at: now)
            } else if let pattern = patterns.first {
                notes.add(.lost(path: pattern, TailLoss(reason: .rotatedAway, from: known?.time, to: now.wall)))
            }
        }
    }

    /// The checkpoint's entry of a log is valid until the log is followed.
    private func forgetFollowed() {
        guard let count = known?.entries.count, count > 0 else { return }
        let followed = Set(paths.map { TailCheckpoint.key(of: $0.path) })
        known?.entries.removeAll { followed.contains($0.key) }
    }

    private func isOpen(_ record: FileRecord) -> Bool {
        paths.contains { $0.hasOpen(record.identity) }
    }

    /// Watches again: directories are removed and made again.
    private func scheduleScan(_ now: TailInstant) {
        for path in paths {
            watch.watch(LogDirectory.split(path.path).directory)
            if path.realPath != path.path { watch.watch(LogDirectory.split(path.realPath).directory) }
            for file in path.held + (path.current.map { [$0] } ?? []) { watch.watch(file) }
        }
        for pattern in settings.paths where LogPattern.isPattern(pattern) {
            watch.watch(LogDirectory.split(pattern).directory)
        }
        if let failure = watch.failure, !hasSaidPolling {
            hasSaidPolling = true
            notes.add(.polling(errno: failure))
        }
        nextScan = now.monotonic.advanced(by: scanPeriod)
    }

    private func matches(of path: String) -> [String] {
        LogPattern.isPattern(path) ? LogPattern(path).paths(settings.limits, followed: paths.map(\.path)) : [path]
    }

    private func follow(_ path: String, _ pattern: String, at now: TailInstant) {
        guard !paths.contains(where: { $0.path == path }) else { return }
        guard paths.count < settings.limits.paths else {
            notes.addOnce(.tooManyPaths(limit: settings.limits.paths))
            return
        }
        let isMatch = LogPattern.isPattern(pattern)
        let followed = FollowedPath(path, id: FileID(rawValue: nextID), isMatch: isMatch, settings, watch)
        nextID += 1
        paths.append(followed)
        let records = (known?.records ?? []) + former
        if path == TailSettings.standardInput {
            followed.pipe = PipeInput(standardInput: standardInput, lineLimit: settings.limits.lineLength)
        } else if let entry = known?.entry(for: path) {
            followed.lastRead = known?.time
            followed.resume(entry, records, &notes, now, paths)
        } else {
            // What a wildcard matches later was written later, and so was what it matched first after the agent was down.
            let isExpected = isMatch && (began != nil || known?.entry(for: pattern) != nil)
            let position: FollowedPath.FirstPosition = settings.start == .beginning || isExpected ? .beginning : .end
            followed.begin(position, since: isExpected ? began ?? known?.time : nil, records, &notes, now, paths)
        }
        // Names in the directory of a wildcard are watched already, and the kernel may yet report this one.
        if !isMatch { followed.births = NameBirths() }
    }

    /// The oldest file is closed when too many are kept open, once everything in it has been read.
    private func boundHeld(_ notes: inout TailNotes, _ body: (UnsafeRawBufferPointer, FileID) -> Void) {
        var excess = paths.reduce(0) { $0 + $1.held.count } - settings.limits.heldFiles
        for path in paths {
            while excess > 0, let oldest = path.held.first, oldest.emptyReads > 0 || oldest.isAtEnd {
                path.release(oldest, buffer, &notes, body)
                excess -= 1
            }
        }
    }

    /// How long until the files are looked at although nothing was heard of them.
    var scanPeriod: Nanoseconds {
        let limits = settings.limits
        let isWaiting = paths.contains { !$0.held.isEmpty || $0.pipe?.state == .waiting }
        return watch.failure == nil && !isWaiting ? limits.rescanPeriod : min(limits.pollPeriod, limits.rescanPeriod)
    }

    /// The least time between two looks.
    var pause: Nanoseconds { settings.limits.pause }
}

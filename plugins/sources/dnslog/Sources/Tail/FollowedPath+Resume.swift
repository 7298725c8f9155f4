internal import Glibc
internal import SondeDomain

/// Finding files again after the agent was down.
extension FollowedPath {
    /// Where to begin in a file that is not in the checkpoint.
    enum FirstPosition {
        case end
        case beginning
    }

    /// Opens the file under the name for the first time.
    ///
    /// `records` are files of other names: one may have been renamed to this. What was written after `since` is news.
    func begin(
        _ position: FirstPosition,
        since: Timestamp?,
        _ records: [FileRecord],
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        defer { settleExisting() }
        if let since { expectRotated(since: since) }
        strangers = records
        look(&notes, at: now, neighbours)
        strangers = []
        guard let current, current.offset == 0 else { return }
        guard position == .end else { return }
        current.skipToEnd()
        notes.replace(.opened(path: path, offset: 0), by: .opened(path: path, offset: current.offset))
    }

    /// The name was looked for since then: a file that got it may have been rotated already.
    private func expectRotated(since time: Timestamp) {
        lastModified = max(lastModified, time)
        hadFile = true
    }

    /// Continues at the checkpoint's position, in the file that has it now.
    ///
    /// `records` are files of other names: one may have been renamed to this.
    func resume(
        _ entry: TailCheckpoint.Entry,
        _ records: [FileRecord],
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        lastModified = entry.modified
        settled = entry.settled
        hadFile = entry.current != nil || !entry.held.isEmpty || !entry.settled.isEmpty
        if entry.current == nil, entry.held.isEmpty, let lastRead { expectRotated(since: lastRead) }
        let log = openLog(&notes, now)
        defer { reportCompressed(entry, &notes, now) }
        var siblings = siblings()
        // The newest that is this file: it may have lost the name and got it back. Nothing distinguishes an empty one
        // that had lost it from a new one with its inode.
        let candidates = entry.held.filter(\.hasBytes) + (entry.current.map { [$0] } ?? [])
        let own = log.flatMap { log in candidates.last { $0.isOf(log) } }
        for record in entry.held
        where record != own && !find(record, of: entry, in: &siblings, &notes, now) && !record.isAtEnd {
            if !neighbours.contains(where: { $0.hasOpen(record.identity) }) { lose(.rotatedAway, &notes, now) }
        }
        if let record = entry.current, record != own {
            findRotated(record, of: entry, in: &siblings, log, &notes, now, neighbours)
        }
        if let log, let own {
            // A file that had no whole line may have been filled and cut short since.
            if own.offset == 0 { lookBehind(log, own, &notes, now, neighbours) }
            return goOn(log, own, &notes, now)
        }
        if let log { close(log.descriptor) }
        strangers = records
        look(&notes, at: now, neighbours)
        strangers = []
    }

    private func goOn(_ log: OpenedLog, _ record: FileRecord, _ notes: inout TailNotes, _ now: TailInstant) {
        guard let file = FollowedFile(log, lineLimit: settings.limits.lineLength, from: record) else {
            refuse(.system(EIO), &notes, now)
            return
        }
        take(file, &notes, now)
    }

    /// What the log held before it was cut short, of which nothing had been read.
    private func lookBehind(
        _ log: OpenedLog,
        _ own: FileRecord,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        let known = held.count
        let head = Fingerprint.head(of: log.descriptor) ?? .empty
        holdUnseen(of: .whole(head), except: log, &notes, now, neighbours)
        // An empty one that was written to, or is another one with that inode, may have been filled meanwhile.
        let isTouched = log.status.st_size == 0 && Timestamp(log.status.st_mtim) != own.modified
        if isTouched, held.count == known { lose(.rotatedAway, &notes, now) }
    }

    /// The file that had the name has another one now, was copied and cut short, or is gone.
    private func findRotated(
        _ record: FileRecord,
        of entry: TailCheckpoint.Entry,
        in siblings: inout [LogSibling],
        _ log: OpenedLog?,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        if find(record, of: entry, in: &siblings, &notes, now), let file = held.last {
            // It may have been filled, copied and cut short before it was renamed.
            if record.offset == 0 { holdCopies(before: file, except: log, &notes, now, neighbours) }
            lastModified = max(lastModified, file.modified)
            holdUnseen(except: log, &notes, now, neighbours)
        } else if neighbours.contains(where: { $0.hasOpen(record.identity) }) {
            return
        } else if holdUnseen(of: .file(record), except: log, &notes, now, neighbours) == .absent {
            // It may have been filled since, where nothing was read of it.
            lose(.rotatedAway, &notes, now)
        }
    }

    /// Holds the copies of the newest held file, of which nothing had been read, in front of it.
    private func holdCopies(
        before file: FollowedFile,
        except log: OpenedLog?,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) {
        let older = held.count - 1
        let head = Fingerprint.head(of: file.descriptor) ?? .empty
        holdUnseen(of: .whole(head), except: log, &notes, now, neighbours)
        held[older...].sort { $0.modified < $1.modified }
    }

    /// A file that was made and compressed while the agent was down is never read.
    private func reportCompressed(_ entry: TailCheckpoint.Entry, _ notes: inout TailNotes, _ now: TailInstant) {
        let known = (entry.held + entry.settled).map(\.modified).max() ?? entry.modified
        guard hadFile, !notes.hasLoss(in: path) else { return }
        guard LogSibling.hasCompressed(realPath, after: max(known, entry.modified), settings.limits) else { return }
        lose(.rotatedAway, &notes, now)
    }

    /// Holds the recorded file if it is beside the log under another name.
    private func find(
        _ record: FileRecord,
        of entry: TailCheckpoint.Entry,
        in siblings: inout [LogSibling],
        _ notes: inout TailNotes,
        _ now: TailInstant
    ) -> Bool {
        for (index, sibling) in siblings.enumerated() where record.mayBe(sibling.identity) {
            guard let file = openSibling(sibling, from: record), record.matches(file.descriptor) else { continue }
            // An empty one may have been written over with a copy of the log.
            if !record.hasBytes, let head = entry.current?.head, head.length > 0, head.matches(file.descriptor, at: 0) {
                continue
            }
            siblings.remove(at: index)
            file.loseName(at: now.monotonic)
            held.append(file)
            notes.add(.opened(path: file.path, offset: file.offset))
            return true
        }
        return false
    }
}

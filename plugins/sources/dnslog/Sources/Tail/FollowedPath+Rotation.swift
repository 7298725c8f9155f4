internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// Files that had the name between two looks.
extension FollowedPath {
    /// What is known of the file whose copy may be beside the log.
    enum Copied {
        /// The log was renamed: there is no copy.
        case nothing
        /// The log begins so still: a copy of it has nothing else yet.
        case whole(Fingerprint)
        /// The log was cut short after this much of it was read; logrotate's `copytruncate` leaves a copy.
        case file(FileRecord)
    }

    /// Whether the rest of what was cut away was found in a copy.
    enum CopyOutcome {
        case found
        case absent
    }

    /// Opens the rotated files that are unread, oldest first, after those held already.
    ///
    /// These are the files with the number or date of a rotation in their name that were last written to after the one
    /// under the name was, or are a longer copy of it, and files that were read whole and have grown since.
    @discardableResult
    func holdUnseen(
        of copied: Copied = .nothing,
        except log: OpenedLog? = nil,
        _ notes: inout TailNotes,
        _ now: TailInstant,
        _ neighbours: [FollowedPath]
    ) -> CopyOutcome {
        var outcome = CopyOutcome.absent
        var found: [FollowedFile] = []
        let identity = log.map { FileIdentity($0.status) }
        for sibling in siblings() where sibling.identity != identity {
            guard !hasOpen(sibling.identity), !neighbours.contains(where: { $0.hasOpen(sibling.identity) }) else {
                continue
            }
            switch judge(sibling, copied, log) {
            case .read: break
            case .news(let position):
                guard let file = openSibling(sibling, from: position) else { continue }
                found.append(file)
            case .restOfCopy(let position):
                outcome = .found
                guard let file = openSibling(sibling, from: position) else { continue }
                found.append(file)
            }
        }
        hold(withoutCopies(found), &notes, now)
        return outcome
    }

    /// The files that may be older parts of the log, oldest first: those beside it, and where the name is a link, those
    /// beside that, to which it may have led.
    func siblings() -> [LogSibling] {
        let siblings = LogSibling.of(realPath, settings.limits)
        guard realPath != path else { return siblings }
        let known = Set(siblings.map(\.identity))
        let others = LogSibling.of(path, settings.limits).filter { !known.contains($0.identity) }
        return (siblings + others).sorted { $0.modified < $1.modified }
    }

    /// Notes the rotated files that exist when following begins: they are not read.
    func settleExisting() {
        for sibling in siblings().suffix(8) where !hasOpen(sibling.identity) {
            guard let file = openSibling(sibling, from: nil) else { continue }
            file.skipToEnd()
            settle(file.record)
        }
    }

    /// The file was truncated or rewritten while being read.
    func recover(_ file: FollowedFile, _ notes: inout TailNotes, _ now: TailInstant, _ neighbours: [FollowedPath]) {
        guard file === current else {
            letGo(file, &notes, now)
            return
        }
        letGoOfRewritten(&notes, now)
        notes.counts.truncations &+= 1
        notes.add(.truncated(path: file.path))
        let record = file.record
        file.restart()
        if holdUnseen(of: .file(record), &notes, now, neighbours) == .absent { lose(.truncated, &notes, now) }
    }

    /// The file that loses the name may have been copied and cut short before that.
    func recoverIfCut(_ notes: inout TailNotes, _ now: TailInstant, _ neighbours: [FollowedPath]) {
        guard let current else { return }
        if current.isUnread {
            holdCopies(of: current, &notes, now, neighbours)
        } else if !current.record.matches(current.descriptor) {
            recover(current, &notes, now, neighbours)
        }
    }

    /// The copy of a log may have been written over a rotated file that is still open.
    func letGoOfRewritten(_ notes: inout TailNotes, _ now: TailInstant) {
        for file in held where !file.record.matches(file.descriptor) || isCopyOfLog(file) { letGo(file, &notes, now) }
    }

    /// Closes a rotated file that was rewritten.
    ///
    /// A log is copied over it that is cut short next, and what the copy has more is looked for then; or it was emptied to
    /// make room.
    func letGo(_ file: FollowedFile, _ notes: inout TailNotes, _ now: TailInstant) {
        if file.emptyReads == 0, file.record.hasBytes { lose(.truncated, &notes, now) }
        settled.removeAll { $0.identity == file.identity }
        drop(file)
    }

    /// Whether an empty rotated file has become a copy of the log: what that has more is looked for when it is cut short.
    func isCopyOfLog(_ file: FollowedFile) -> Bool {
        guard file.isUnread, file.head.length == 0, let current, file !== current else { return false }
        let head = current.isUnread ? Fingerprint.head(of: current.descriptor) ?? .empty : current.head
        return head.length > 0 && head.matches(file.descriptor, at: 0)
    }

    func lose(_ reason: TailLoss.Reason, _ notes: inout TailNotes, _ now: TailInstant, bytes: UInt64? = nil) {
        let loss = TailLoss(reason: reason, from: lastRead, to: now.wall, bytes: bytes)
        notes.add(.lost(path: path, loss))
    }

    /// Nil when it is another file by now, or none that may be read.
    func openSibling(_ sibling: LogSibling, from record: FileRecord?) -> FollowedFile? {
        guard let log = try? OpenedLog.open(sibling.path, .refuse) else { return nil }
        guard log.kind == .file, FileIdentity(log.status) == sibling.identity else {
            close(log.descriptor)
            return nil
        }
        return FollowedFile(log, lineLimit: settings.limits.lineLength, from: record)
    }

    private enum Verdict {
        /// It holds nothing that was not read.
        case read
        /// It is read from here on; nil: from its beginning.
        case news(FileRecord?)
        /// It is a copy of what was cut away, and continues here.
        case restOfCopy(FileRecord)
    }

    private func judge(_ sibling: LogSibling, _ copied: Copied, _ log: OpenedLog?) -> Verdict {
        guard let file = openSibling(sibling, from: nil) else { return .read }
        if let record = (strangers + settled).last(where: { $0.mayBe(sibling.identity) }),
            // An empty file may have been written over with a copy, or be another one with the same inode.
            record.hasBytes || sibling.size == 0 && sibling.modified == record.modified, record.matches(file.descriptor)
        {
            return sibling.size > record.offset ? .news(record) : .read
        }
        guard sibling.isRotation else { return .read }
        if case .whole(let head) = copied, head.length > 0, head.matches(file.descriptor, at: 0) { return .read }
        if case .file(let record) = copied, record.head.length > 0, record.head.matches(file.descriptor, at: 0) {
            if record.matches(file.descriptor) { return .restOfCopy(record) }
            // A copy that was made before the last lines were read has nothing new. A longer one with other bytes at
            // the position is no copy.
            if sibling.size < record.offset {
                file.skipToEnd()
                settle(file.record)
                return .read
            }
        }
        return sibling.modified >= lastModified && !isCopyOfRead(file, sibling, log) ? .news(nil) : .read
    }

    /// Whether the log, or a file that had the name, begins with all that is in this one, or was the same: it was copied,
    /// and nothing was cut.
    private func isCopyOfRead(_ file: FollowedFile, _ sibling: LogSibling, _ log: OpenedLog?) -> Bool {
        if settled.contains(where: { $0.hasBytes && $0.offset == sibling.size && $0.matches(file.descriptor) }) {
            return true
        }
        let open = held.map(\.descriptor) + [current?.descriptor, log?.descriptor].compactMap(\.self)
        return open.contains { file.isBeginning(of: $0) }
    }

    /// Of several copies of one log the longest.
    private func withoutCopies(_ found: [FollowedFile]) -> [FollowedFile] {
        var kept: [FollowedFile] = []
        for file in found.reversed() where !kept.contains(where: { file.isBeginning(of: $0.descriptor) }) {
            kept.append(file)
        }
        return kept.reversed()
    }

    private func hold(_ found: [FollowedFile], _ notes: inout TailNotes, _ now: TailInstant) {
        if found.count > settings.limits.unseenFiles { lose(.rotatedAway, &notes, now) }
        notes.counts.rotations &+= UInt64(found.count)
        births.note(arrivals: found.count, at: now.monotonic)
        for file in found.suffix(settings.limits.unseenFiles) {
            file.loseName(at: now.monotonic)
            held.append(file)
            notes.add(.opened(path: file.path, offset: file.offset))
        }
    }
}

extension FileRecord {
    /// Whether an opened file is the recorded one.
    func isOf(_ log: OpenedLog) -> Bool {
        log.kind == .file && mayBe(FileIdentity(log.status)) && matches(log.descriptor)
    }

    /// Whether a file of this identity may be the recorded one, before its bytes are compared.
    ///
    /// Device numbers are assigned again at boot; where there are bytes to compare, the inode is enough.
    func mayBe(_ identity: FileIdentity) -> Bool {
        identity.inode == self.identity.inode && (identity.device == self.identity.device || seam.length > 0)
    }
}

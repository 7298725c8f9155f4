internal import Glibc
internal import SondeDomain

/// Reading what has come.
extension FollowedPath {
    /// Hands on whole lines until there are none or `budget` bytes are read, older files first; true when there are more.
    @inline(__always)
    func drain(
        _ buffer: ReadBuffer,
        _ notes: inout TailNotes,
        _ budget: inout Int,
        at now: TailInstant,
        _ neighbours: [FollowedPath],
        _ body: (UnsafeRawBufferPointer, FileID) -> Void
    ) -> Bool {
        if pipe != nil, drainPipe(&notes, &budget, body) { return true }
        // A copy: the closure below then holds no reference, of which each line would count one up and down.
        let id = id
        var index = 0
        while let file = index < held.count ? held[index] : index == held.count ? current : nil {
            guard budget > 0 else { return true }
            if isCopyOfLog(file) {
                letGo(file, &notes, now)
                continue
            }
            let before = notes.counts.bytes
            let wasUnread = file.isUnread
            let outcome = file.read(buffer, &notes.counts, at: now.monotonic) { body($0, id) }
            budget -= Int(clamping: notes.counts.bytes &- before)
            if wasUnread, !file.isUnread, file === current {
                // It may have been filled, copied and cut short since the look.
                holdCopies(of: file, &notes, now, neighbours)
                index = 0
                continue
            }
            switch outcome {
            case .progressed: continue
            case .atEnd:
                index += 1
            case .replaced:
                recover(file, &notes, now, neighbours)
                // What was cut away comes before what is there now; a held file is held no longer.
                if file === current { index = 0 }
            case .failed(let number):
                say(.unreadable(path: file.path, errno: number), &notes)
                index += 1
            }
        }
        noteRead(now)
        return false
    }

    /// Closes files that have lost the name and that are no longer written to.
    func closeQuiet(
        _ buffer: ReadBuffer,
        _ notes: inout TailNotes,
        at now: TailInstant,
        _ body: (UnsafeRawBufferPointer, FileID) -> Void
    ) {
        for file in held where file.emptyReads >= 2 {
            guard now.monotonic.since(file.lastNews) >= settings.limits.rotateGrace else { continue }
            release(file, buffer, &notes, body)
        }
        giveUpDeleted(buffer, &notes, at: now, body)
    }

    /// Closes a file permanently; a last line without end is handed on.
    func release(
        _ file: FollowedFile,
        _ buffer: ReadBuffer,
        _ notes: inout TailNotes,
        _ body: (UnsafeRawBufferPointer, FileID) -> Void
    ) {
        file.finish(buffer, &notes.counts) { body($0, id) }
        settle(file.record)
        drop(file)
    }

    /// Closes a held file as it is.
    func drop(_ file: FollowedFile) {
        watch.forget(file)
        held.removeAll { $0 === file }
    }

    /// A deleted file takes up the disk as long as it is open, be it written to or not.
    private func giveUpDeleted(
        _ buffer: ReadBuffer,
        _ notes: inout TailNotes,
        at now: TailInstant,
        _ body: (UnsafeRawBufferPointer, FileID) -> Void
    ) {
        for file in held where file.isDeleted {
            guard let lost = file.nameLost, now.monotonic.since(lost) >= settings.limits.deletedHold else { continue }
            lose(.deleted, &notes, now)
            release(file, buffer, &notes, body)
        }
    }

    @inline(__always)
    private func drainPipe(
        _ notes: inout TailNotes,
        _ budget: inout Int,
        _ body: (UnsafeRawBufferPointer, FileID) -> Void
    ) -> Bool {
        let id = id
        while let pipe {
            guard budget > 0 else { return true }
            let before = notes.counts.bytes
            switch pipe.read(&notes.counts, { body($0, id) }) {
            case .progressed: break
            case .atEnd:
                if pipe.state == .ended { say(.ended(path: path), &notes) }
                return false
            case .failed(let number):
                say(.unreadable(path: path, errno: number), &notes)
                return false
            }
            budget -= Int(clamping: notes.counts.bytes &- before)
        }
        return false
    }

    private func noteRead(_ now: TailInstant) {
        lastRead = now.wall
        // Of a file of which nothing was read, copies may exist that were made before it was cut short.
        guard let current, !current.isUnread else { return }
        lastModified = max(lastModified, current.modified)
    }
}

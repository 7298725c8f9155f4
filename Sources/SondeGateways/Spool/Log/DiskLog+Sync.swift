internal import SondeDomain
internal import SondeEngine

/// What one sync has to do; executed without the log's lock.
struct SyncPlan {
    /// A file to sync, with how long it was when the sync began.
    struct Item {
        let first: UInt64
        let file: any OpenFile
        let length: Int64
        let end: UInt64
    }

    /// Files to sync.
    var items: [Item] = []
    /// Segments that are to be written again, to another file.
    var rewrites: [SegmentWriter] = []
    var syncsDirectory = false

    var isEmpty: Bool { items.isEmpty && rewrites.isEmpty && !syncsDirectory }
}

extension DiskLog {
    /// What is to be synced now.
    mutating func beginSync() -> SyncPlan {
        var plan = SyncPlan()
        for writer in sealed + (active.map { [$0] } ?? []) where !writer.isSafe {
            guard !writer.isInDoubt else {
                plan.rewrites.append(writer)
                continue
            }
            guard let index = index(ofSegment: writer.first) else { continue }
            let end = segments[index].summary.end
            plan.items.append(SyncPlan.Item(first: writer.first, file: writer.file, length: writer.length, end: end))
        }
        plan.syncsDirectory = directoryIsDirty
        directoryIsDirty = false
        return plan
    }

    /// Notes that a file was synced, and its name.
    mutating func finishSync(_ item: SyncPlan.Item) {
        if active?.file === item.file { active?.becameSafe(length: item.length, end: item.end) }
        for index in sealed.indices where sealed[index].file === item.file {
            sealed[index].becameSafe(length: item.length, end: item.end)
        }
        sealed.removeAll { $0.isSafe }
        noteAnchor(item.first)
    }

    /// Notes that a sync failed: what it was for has to be written again, to another file.
    mutating func failSync(_ item: SyncPlan.Item, _ error: FileSystemError) {
        failures.note(error, "a sync failed; what was not safe is written again")
        if active?.file === item.file { seal() }
        for index in sealed.indices where sealed[index].file === item.file { sealed[index].isInDoubt = true }
    }

    /// Notes that a segment was written again and that the new file is synced.
    mutating func finishRewrite(_ writer: SegmentWriter) {
        sealed.removeAll { $0.first == writer.first }
        guard index(ofSegment: writer.first) == nil else { return noteAnchor(writer.first) }
        // It was dropped meanwhile: under the name of the copy it would reappear at the next start.
        try? fileSystem.unlink(paths.segment(writer.first))
        directoryIsDirty = true
    }

    private mutating func noteAnchor(_ first: UInt64) {
        if index(ofSegment: first) != nil { anchor = max(anchor ?? 0, first) }
    }

    /// Marks every open segment as not synced, since their names are gone.
    mutating func doubtEverything() {
        let open = closeActive()
        if let open, let last = segments.last, last.summary.count > 0 {
            sealed.append(open)
        } else if open != nil {
            remove(at: segments.count - 1)
        }
        for index in sealed.indices { sealed[index].isInDoubt = true }
        anchor = nil
    }
}

extension DiskLog {
    /// Reports the loss of every segment whose file is gone and that is not open.
    mutating func dropMissing(except names: [String]) {
        let present = Set(names.compactMap(SpoolPaths.segmentFirst))
        for segment in segments where !present.contains(segment.summary.first) {
            let first = segment.summary.first
            guard openFile(ofSegment: first) == nil else { continue }
            markDamaged(segment: first, from: first, offset: 0, "the file is gone")
        }
    }
}

internal import SondeDomain
internal import SondeEngine

/// What one sync has to do; carried out without the log's lock.
struct SyncPlan {
    /// A file to sync, with how long it was when the sync began.
    struct Item {
        let first: UInt64
        let file: any OpenFile
        let length: Int64
        let end: UInt64
    }

    /// What came of it.
    struct Outcome {
        fileprivate(set) var synced: [Item] = []
        /// Files that could not be synced.
        fileprivate(set) var failed: [Item] = []
        /// Segments that were written again, to a file that is synced.
        fileprivate(set) var rewritten: [SegmentWriter] = []
        fileprivate(set) var isDirectoryUnsafe = false
    }

    /// Files to sync.
    var items: [Item] = []
    /// Segments that are to be written again, to another file.
    var rewrites: [SegmentWriter] = []
    var syncsDirectory = false

    var isEmpty: Bool { items.isEmpty && rewrites.isEmpty && !syncsDirectory }

    /// Syncs the files, then the directory that has their names.
    func carryOut(_ folder: SpoolFolder) -> Outcome {
        var outcome = Outcome()
        for item in items {
            do throws(FileSystemError) {
                try item.file.syncData()
                outcome.synced.append(item)
            } catch {
                folder.failures.note(error, "a sync failed; what was not safe is written again")
                outcome.failed.append(item)
            }
        }
        for writer in rewrites {
            do throws(FileSystemError) {
                try rewrite(writer, folder)
                outcome.rewritten.append(writer)
            } catch {
                folder.failures.note(error, "a segment could not be written again")
            }
        }
        guard syncsDirectory else { return outcome }
        do throws(FileSystemError) {
            try folder.fileSystem.syncDirectory(folder.path)
        } catch {
            folder.failures.note(error, "the directory could not be synced")
            outcome.isDirectoryUnsafe = true
        }
        return outcome
    }

    /// Writes a segment to a new file of the same name and syncs that.
    private func rewrite(_ writer: SegmentWriter, _ folder: SpoolFolder) throws(FileSystemError) {
        try folder.fileSystem.make(folder.segment(writer.first)) { copy throws(FileSystemError) in
            try writer.copy(to: copy)
            try copy.syncData()
        }
        try folder.fileSystem.syncDirectory(folder.path)
    }
}

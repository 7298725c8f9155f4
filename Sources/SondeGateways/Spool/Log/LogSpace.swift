internal import SondeEngine

/// How much the log may write: within its own bound, and on its file system beside what is left to others.
struct LogSpace {
    private let folder: SpoolFolder
    /// How much may be written before the free space is queried again.
    private var allowance: Int64 = 0
    /// The free space at the last query.
    private var available: Int64 = 0
    /// Whether what had no room last had none on the file system, or else none within the log's own bound.
    private(set) var isFileSystemFull = false

    init(_ folder: SpoolFolder) {
        self.folder = folder
    }

    private var settings: DiskSpoolSettings { folder.settings }

    /// Whether that many more bytes fit the bound, of which `used` are taken, and leave the reserved space free.
    mutating func hasRoom(_ count: Int64, used: Int64) -> Bool {
        isFileSystemFull = false
        guard used &+ count <= settings.maxBytes else { return false }
        if allowance < count { refresh() }
        guard allowance < count else { return true }
        isFileSystemFull = true
        folder.failures.noteFull(available: available, wanted: count)
        return false
    }

    /// About how large the segment that is written to becomes: no more than a part of the space, so that little
    /// is dropped at once on a small file system too.
    mutating func segmentBound(for count: Int64, beside segments: Int64) -> Int64 {
        if allowance < count { refresh() }
        let (room, overflow) = segments.addingReportingOverflow(allowance)
        guard !overflow else { return settings.segmentBytes }
        return min(settings.segmentBytes, max(room / DiskSpoolSettings.segmentsAtLeast, DiskSpoolSettings.leastSegment))
    }

    /// Notes that bytes were written.
    mutating func wrote(_ count: Int64) { allowance &-= count }

    /// Notes that space was freed: how much there is, is queried when it is needed.
    mutating func wasFreed() { allowance = 0 }

    /// Notes that a write found no room.
    mutating func wasExhausted() { isFileSystemFull = true }

    /// Queries the free space of the file system.
    mutating func refresh() {
        // A query that fails does not stop the log: the write itself shows it.
        guard let space = try? folder.fileSystem.space(at: settings.directory) else {
            allowance = .max
            return
        }
        available = space.available
        let reserve = settings.minFree ?? min(space.total / 20, 100 << 20)
        allowance = max(0, space.available &- reserve)
    }
}

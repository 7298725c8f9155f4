internal import SondeDomain
internal import SondeEngine

/// The bookkeeping of ``DiskSpool``: segments in order, the one that is written to, and one position per sink.
///
/// Not thread-safe. Calls the file system only to append, to make and to remove segments; never to sync.
struct DiskLog {
    static let gapBound = 1_024
    static let untoldBound = 64
    static let lockBytes: Int64 = 32
    // Some ten thousand series.
    private static let mostCarried: Int64 = 1 << 20

    let settings: DiskSpoolSettings
    let paths: SpoolPaths
    let fileSystem: any FileSystem
    let clock: any Clock
    let interner: SeriesInterner
    let epoch: String
    /// The epochs that the log had before, the newest first.
    let earlier: [String]

    var segments: [LogSegment] = []
    var segmentBytes: Int64 = 0
    var active: SegmentWriter?
    /// The series of the segment that was written to last that have not ended; the maximum size of their definitions.
    var unended: (series: [Series], bound: Int64) = ([], 0)
    /// Segments that are full and were not synced yet, in order.
    var sealed: [SegmentWriter] = []
    var readers: [String: LogReader] = [:]
    /// The durable sinks that the newest header names.
    var namedReaders: Set<String> = []
    /// What is appended from now on has in common.
    var resource: Resource
    /// The next number to assign.
    var nextSequence: UInt64 = 1
    /// What the file system has no room for.
    var tail: MemoryTail
    /// Nil where it could not be made.
    var endMark: EndMark?
    /// Whether a segment of this epoch was ever made: otherwise no later start has it.
    var epochIsOnDisk = false
    /// What had no room for a frame last.
    var lack = Lack.bound
    var checkpoints: [String: [UInt8]] = [:]
    /// Numbers that are in no segment and were reported.
    var gaps = SequenceRanges(bound: gapBound)
    /// Gaps that no frame records yet.
    var untoldGaps: [GapRecord] = []
    var quarantine: Quarantine
    var losses: [Loss] = []
    var lossCounts = LossCounts()
    var failures: SpoolFailures
    var directoryIsDirty = false
    /// The newest segment whose header and name survive a power cut; those before it may be removed.
    var anchor: UInt64?
    /// Files that could not be removed.
    var strayBytes: Int64 = 0
    /// How much may be written before the free space is queried again.
    var allowance: Int64 = 0
    /// The free space at the last query.
    private var available: Int64 = 0
    var marks = AppendMarks()
    var scratch = ByteWriter()
    /// Why the last write failed.
    var lastWriteError: FileSystemError?

    private let openedWall: Timestamp
    private let openedAt: MonotonicInstant

    init(
        settings: DiskSpoolSettings,
        fileSystem: any FileSystem,
        clock: any Clock,
        interner: SeriesInterner,
        epoch: String,
        earlier: [String],
        quarantine: Quarantine
    ) {
        self.settings = settings
        paths = SpoolPaths(directory: settings.directory)
        self.fileSystem = fileSystem
        self.clock = clock
        self.interner = interner
        self.epoch = epoch
        self.earlier = earlier
        self.quarantine = quarantine
        resource = settings.resource
        tail = MemoryTail(bound: settings.memoryBytes)
        failures = SpoolFailures(directory: settings.directory)
        openedWall = clock.wallTime
        openedAt = clock.monotonicTime
    }

    /// Where there is no room.
    enum Lack {
        /// Within the log's own bound.
        case bound
        /// On the file system.
        case fileSystem
    }

    /// The last checkpoint of a source, in memory too.
    func checkpoint(of source: String) -> [UInt8]? {
        let held = tail.frames.last { $0.group.checkpoint?.source == source }
        return held?.group.checkpoint?.bytes ?? checkpoints[source]
    }

    /// The next number to be written to the disk.
    var writeSequence: UInt64 { tail.first ?? nextSequence }

    /// The wall time at the start plus the time since: a step of the clock must not age what waits.
    var steadyTime: Timestamp {
        let elapsed = clock.monotonicTime.since(openedAt).value
        let (time, overflow) = openedWall.nanoseconds.addingReportingOverflow(elapsed)
        return overflow ? openedWall : Timestamp(nanoseconds: time)
    }

    /// The size of all files.
    var bytes: Int64 {
        let cursors = Int64(readers.values.count { $0.kind == .durable }) * Int64(CursorSlot.fileLength)
        let fixed = Self.lockBytes &+ (endMark == nil ? 0 : Int64(EndMark.fileLength))
        return segmentBytes &+ cursors &+ quarantine.bytes &+ strayBytes &+ fixed
    }

    /// Whether that many more bytes fit the bound and leave the reserved space free.
    mutating func hasRoom(_ count: Int64) -> Bool {
        lack = .bound
        guard bytes &+ count <= settings.maxBytes else { return false }
        lack = .fileSystem
        if allowance < count { refreshAllowance() }
        guard allowance < count else { return true }
        failures.noteFull(available: available, wanted: count)
        return false
    }

    /// About how large the segment that is written to becomes: no more than a part of the space, so that little
    /// is dropped at once on a small file system too.
    mutating func segmentBound(for count: Int64) -> Int64 {
        if allowance < count { refreshAllowance() }
        let (room, overflow) = segmentBytes.addingReportingOverflow(allowance)
        guard !overflow else { return settings.segmentBytes }
        return min(settings.segmentBytes, max(room / DiskSpoolSettings.segmentsAtLeast, DiskSpoolSettings.leastSegment))
    }

    /// Queries the free space of the file system.
    mutating func refreshAllowance() {
        // A query that fails does not stop the log: the write itself shows it.
        guard let space = try? fileSystem.space(at: settings.directory) else {
            allowance = .max
            return
        }
        available = space.available
        let reserve = settings.minFree ?? min(space.total / 20, 100 << 20)
        allowance = max(0, space.available &- reserve)
    }

    /// The bound on the definitions that a segment begins with.
    var carryBound: Int64 { min(settings.segmentBytes / 4, Self.mostCarried) }

    /// Whether some sink gets this content.
    func isWanted(_ content: SendContent) -> Bool {
        readers.values.contains { $0.wants.contains(content) }
    }

    var activeSegmentIndex: Int? {
        active == nil ? nil : segments.indices.last
    }

    /// How much was written that may be lost in a power cut.
    var unsafeBytes: Int64 {
        guard settings.synchronization != .none else { return 0 }
        return sealed.reduce(active?.unsafeLength ?? 0) { $0 &+ $1.unsafeLength }
    }

    /// Whether what was appended survives a power cut, as far as configured.
    var isSafe: Bool {
        guard settings.synchronization != .none else { return true }
        guard settings.synchronization == .interval else { return tail.isEmpty }
        return !directoryIsDirty && safeEnd == nextSequence
    }

    /// Every number below survives a power cut.
    var safeEnd: UInt64 {
        for writer in sealed where !writer.isSafe { return writer.safeEnd }
        guard let active, !active.isSafe else { return writeSequence }
        return active.safeEnd
    }
}

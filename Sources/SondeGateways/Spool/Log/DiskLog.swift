internal import SondeDomain
internal import SondeEngine

/// The bookkeeping of ``DiskSpool``: segments in order, the one that is written to, and one place per sink.
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
    /// The series of the segment that was written to last that have not ended; what their definitions take at the most.
    var unended: (series: [Series], bound: Int64) = ([], 0)
    /// Segments that are full and were not made safe yet, in order.
    var sealed: [SegmentWriter] = []
    var readers: [String: LogReader] = [:]
    /// The durable sinks that the newest header names.
    var namedReaders: Set<String> = []
    /// What is appended from now on has in common.
    var resource: Resource
    /// The next number to be given.
    var nextSequence: UInt64 = 1
    /// What the file system has no room for.
    var tail: MemoryTail
    /// Nil where it could not be made.
    var endMark: EndMark?
    /// Whether a segment of this epoch was ever made: else no later start knows of it.
    var epochIsOnDisk = false
    /// What had no room for a frame last.
    var lack = Lack.bound
    var checkpoints: [String: [UInt8]] = [:]
    /// Numbers that are in no segment and were told.
    var gaps = SequenceRanges(bound: gapBound)
    /// Gaps that no frame tells yet.
    var untoldGaps: [GapRecord] = []
    var quarantine: Quarantine
    var losses: [Loss] = []
    var lossCounts = LossCounts()
    var failures: SpoolFailures
    var directoryIsDirty = false
    /// The newest segment whose header and name survive a power cut; those before it may go.
    var anchor: UInt64?
    /// Files that could not be removed.
    var strayBytes: Int64 = 0
    /// How much may be written before the room on the file system is asked for again.
    var allowance: Int64 = 0
    /// How much room the file system had when it was asked last.
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

    /// The wall clock as it was at the start and has run since: a step must not age what waits.
    var steadyTime: Timestamp {
        let elapsed = clock.monotonicTime.since(openedAt).value
        let (time, overflow) = openedWall.nanoseconds.addingReportingOverflow(elapsed)
        return overflow ? openedWall : Timestamp(nanoseconds: time)
    }

    /// How much all files take.
    var bytes: Int64 {
        let cursors = Int64(readers.values.count { $0.kind == .durable }) * Int64(CursorSlot.fileLength)
        let fixed = Self.lockBytes &+ (endMark == nil ? 0 : Int64(EndMark.fileLength))
        return segmentBytes &+ cursors &+ quarantine.bytes &+ strayBytes &+ fixed
    }

    /// Whether that many more bytes fit the bound and leave room to others.
    mutating func hasRoom(_ count: Int64) -> Bool {
        lack = .bound
        guard bytes &+ count <= settings.maxBytes else { return false }
        lack = .fileSystem
        if allowance < count { refreshAllowance() }
        guard allowance < count else { return true }
        failures.noteFull(available: available, wanted: count)
        return false
    }

    /// About how large the segment that is written to becomes: no more than a part of the room there is, so that little
    /// gives way at once on a small file system too.
    mutating func segmentBound(for count: Int64) -> Int64 {
        if allowance < count { refreshAllowance() }
        let (room, overflow) = segmentBytes.addingReportingOverflow(allowance)
        guard !overflow else { return settings.segmentBytes }
        return min(settings.segmentBytes, max(room / DiskSpoolSettings.segmentsAtLeast, DiskSpoolSettings.leastSegment))
    }

    /// Asks for the room on the file system.
    mutating func refreshAllowance() {
        // What cannot be asked does not stop the log: the write itself tells.
        guard let space = try? fileSystem.space(at: settings.directory) else {
            allowance = .max
            return
        }
        available = space.available
        let reserve = settings.minFree ?? min(space.total / 20, 100 << 20)
        allowance = max(0, space.available &- reserve)
    }

    /// How much the definitions may take that a segment begins with.
    var carryBound: Int64 { min(settings.segmentBytes / 4, Self.mostCarried) }

    /// Whether some sink gets this content.
    func isWanted(_ content: SendContent) -> Bool {
        readers.values.contains { $0.wants.contains(content) }
    }

    var activeSegmentIndex: Int? {
        active == nil ? nil : segments.indices.last
    }

    /// How much was written that a power cut may take.
    var unsafeBytes: Int64 {
        guard settings.synchronization != .none else { return 0 }
        return sealed.reduce(active?.unsafeLength ?? 0) { $0 &+ $1.unsafeLength }
    }

    /// Whether what was appended survives a power cut, as far as asked for.
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

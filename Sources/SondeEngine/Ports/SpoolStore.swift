public import SondeDomain

/// One point on its way to the sinks.
public struct SpooledPoint: Sendable {
    /// The series.
    public var series: Series
    /// When it was observed.
    public var time: Timestamp
    /// Counters and histograms: the start of the count, if known.
    public var start: Timestamp?
    /// The value, or that the series has ended.
    public var value: SampleValue

    /// A point.
    public init(series: Series, time: Timestamp, start: Timestamp?, value: SampleValue) {
        self.series = series
        self.time = time
        self.start = start
        self.value = value
    }
}

/// A cut of the log for one sink: sequence numbers, both ends included.
public struct Stretch: Hashable, Sendable {
    /// The first number.
    public var first: UInt64
    /// The last number.
    public var last: UInt64

    /// A stretch.
    public init(first: UInt64, last: UInt64) {
        self.first = first
        self.last = last
    }

    /// How many numbers it spans.
    public var count: Int { Int(clamping: last &- first &+ 1) }
}

/// What a part of the log holds, as far as its points have one resource.
public struct SpoolContents: Sendable {
    /// What all of it has in common.
    public var resource: Resource
    /// The last number that has this resource; at most the last requested one.
    public var last: UInt64
    /// The points in order.
    public var points: SpooledPoints
    /// The documents in order.
    public var documents: [Document]

    /// Contents.
    public init(resource: Resource, last: UInt64, points: SpooledPoints = SpooledPoints(), documents: [Document] = []) {
        self.resource = resource
        self.last = last
        self.points = points
        self.documents = documents
    }
}

/// What waits for one sink.
public struct Backlog: Hashable, Sendable {
    /// How many sequence numbers.
    public var count = 0
    /// About how many bytes.
    public var bytes: Int64 = 0
    /// When the oldest of it was appended.
    public var oldest: MonotonicInstant?

    /// Nothing waits.
    public init() {}
}

/// The result of an append.
public enum AppendResult: Hashable, Sendable {
    /// It was taken under these numbers.
    case taken(Stretch)
    /// There is no room and the policy is to refuse what is new.
    case refused
    /// The storage failed.
    case failed
}

/// Points and documents of a sink that were dropped for newer ones before they were delivered.
public struct OverflowLoss: Hashable, Sendable {
    /// The sink.
    public var sink: String
    /// How many points and documents.
    public var count: UInt64
    /// The time of the oldest.
    public var from: Timestamp
    /// The time of the newest.
    public var to: Timestamp

    /// A loss.
    public init(sink: String, count: UInt64, from: Timestamp, to: Timestamp) {
        self.sink = sink
        self.count = count
        self.from = from
        self.to = to
    }
}

/// How a sink reads the log.
public enum ReaderKind: Hashable, Sendable {
    /// Resumes where it stopped and holds the log until it has read it.
    case durable
    /// Starts at the tail; what it has not read is kept only while there is room.
    case live
}

/// A source's position, kept together with what it read up to there.
public struct SpoolCheckpoint: Hashable, Sendable {
    /// The `id` of the source.
    public var source: String
    /// The source's own bytes.
    public var bytes: [UInt8]

    /// A checkpoint.
    public init(source: String, bytes: [UInt8]) {
        self.source = source
        self.bytes = bytes
    }
}

/// The shared log between sources and sinks: one sequence, one cursor per sink.
///
/// May be called from any thread.
///
/// A stretch, once cut, is offered again until it is acknowledged, also after overflow; stretches of one sink
/// follow each other without a gap. All points of a stretch have one resource, the one under which they were appended.
public protocol SpoolStore: AnyObject, Sendable {
    /// Identifies the log: sequence numbers are unique within it.
    var epoch: String { get }
    /// The epoch of the stretches that a sink is cut; changes only where it is cut a new one.
    func epoch(of sink: String) -> String
    /// Whether what is appended now outlives the process.
    var isDurable: Bool { get }
    /// What all that is appended from now on has in common.
    var resource: Resource { get set }
    /// Registers a sink. Before the first append that concerns it.
    func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent)
    /// Forgets a sink that is removed permanently, and what was kept only for it.
    func removeReader(_ sink: String)
    /// Forgets the durable sinks that an earlier run left and that are not among `sinks`, and returns what they lose.
    ///
    /// After the last `addReader` of the start.
    func retainReaders(_ sinks: [String]) -> [Loss]
    /// Appends points, documents and a checkpoint as one frame, and returns what was dropped for it.
    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss])
    /// The last checkpoint of a source that was appended and survived.
    func checkpoint(of source: String) -> [UInt8]?
    /// Takes the series of a source, nil: of all, that the run before left without an end.
    func takeUnended(of source: String?) -> [Series]
    /// What waits for a sink, the stretch under way included; never blocks on a disk.
    func backlog(of sink: String) -> Backlog
    /// The stretch under way, or a new one of at most this many numbers and about this many bytes; nil: nothing waits,
    /// or it could not be synced.
    func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch?
    /// Makes the stretch under way shorter, since it was too large for its receiver.
    func shorten(for sink: String, to count: Int) -> Stretch?
    /// The points and documents of a stretch, up to where another resource begins; what overflow dropped is left out.
    ///
    /// A stretch that was cut has one resource to its end.
    func read(_ stretch: Stretch, for sink: String) -> SpoolContents
    /// Moves a sink's cursor past the stretch under way; any other stretch changes nothing.
    func acknowledge(_ stretch: Stretch, for sink: String)
    /// Whether everything appended so far is as durable as this store promises.
    var isSafe: Bool { get }
    /// Whether everything is synced, no failure lasts, and neither a loss nor a failure waits to be reported.
    var isSettled: Bool { get }
    /// Whether its storage has no room at this moment; never blocks on a disk.
    var isFull: Bool { get }
    /// How many bytes were appended that are not as durable yet.
    var unsafeBytes: Int64 { get }
    /// Makes everything appended so far survive a power cut, and does what is due by time.
    ///
    /// May take as long as the disk does; appends continue meanwhile.
    func sync()
    /// Losses that no append returned, since the last call: what a start or a read found damaged, or what grew too old.
    func takeLosses() -> [Loss]
    /// Failures of the storage since the last call.
    func takeFailures() -> [SondeError]
    /// The wall clock was suspect, and is right now: nothing was appended meanwhile.
    func clockBecameRight()
    /// What the files take and what waits in them; nil for a log without files.
    func usage() -> SpoolUsage?
    /// What is kept of a range of numbers, for any sink, up to where another resource begins: to show the log's
    /// contents.
    func contents(from first: UInt64, count: Int) -> SpoolContents
}

extension SpoolStore {
    /// Appends points and documents as one frame, and returns what was dropped for it.
    public func append(
        _ points: [SpooledPoint],
        documents: [Document],
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        append(points, documents: documents, checkpoint: nil, at: time)
    }
}

extension SpoolStore {
    /// The log's own.
    public func epoch(of sink: String) -> String { epoch }
}

/// The behaviour of a store that keeps nothing beyond the process.
extension SpoolStore {
    /// False: it ends with the process.
    public var isDurable: Bool { false }

    /// False: there is no storage.
    public var isFull: Bool { false }

    /// Zero: nothing is ever synced.
    public var unsafeBytes: Int64 { 0 }

    /// Nothing: an earlier run left no sink.
    public func retainReaders(_ sinks: [String]) -> [Loss] { [] }

    /// Nil: no checkpoint survives.
    public func checkpoint(of source: String) -> [UInt8]? { nil }

    /// Nothing: no series survives.
    public func takeUnended(of source: String?) -> [Series] { [] }

    /// Nothing: no wall time is kept.
    public func clockBecameRight() {}

    /// Nothing: memory does not survive a power cut.
    public func sync() {}

    /// Nothing: every loss is returned by the append that caused it.
    public func takeLosses() -> [Loss] { [] }

    /// Nothing: memory does not fail.
    public func takeFailures() -> [SondeError] { [] }

    /// Nil: there are no files.
    public func usage() -> SpoolUsage? { nil }

    /// Nothing: there are no files to read.
    public func contents(from first: UInt64, count: Int) -> SpoolContents {
        SpoolContents(resource: resource, last: first &+ UInt64(clamping: count) &- 1)
    }
}

internal import SondeDomain

/// The open series of one source by handle.
///
/// Handles are never reused; the table is bounded. Not thread-safe.
struct SeriesTable {
    /// An open series with what its samples need; shared, because each sample reads it and copying is costly.
    final class Entry {
        let series: Series
        let history: [HistoryContribution]
        let fact: SnapshotFact?
        /// The value of the last sample that was taken, in the base unit; ended: none was.
        @exclusivity(unchecked) fileprivate var value = SampleValue.ended
        /// When it was observed.
        @exclusivity(unchecked) fileprivate var time = Timestamp(nanoseconds: 0)
        /// The unit in which the source reports.
        fileprivate let unit: String
        // Its channel holds a lock while it is in use: a check of exclusivity costs half as much as normalizing.
        @exclusivity(unchecked) var normalizer: SeriesNormalizer
        fileprivate let generation: UInt64
        fileprivate let key: Key

        /// Whether sinks had it before it was opened, and have no end of it.
        fileprivate let wasLive: Bool
        /// How many commits had been taken when it was opened.
        fileprivate let opened: UInt64

        /// Whether there was a sample of it.
        fileprivate var isReported: Bool { !value.isEnd }

        fileprivate init(
            _ specification: SeriesSpecification,
            _ series: Series,
            wasLive: Bool,
            opened: UInt64,
            sees: Set<PluginDescriptor.View>,
            generation: UInt64,
            key: Key
        ) {
            self.series = series
            self.wasLive = wasLive
            self.opened = opened
            self.generation = generation
            self.key = key
            unit = specification.unit
            history = HistoryCatalog.contributions(of: series)
            fact = SnapshotFact(series, sees: sees)
            normalizer = SeriesNormalizer(specification)
        }
    }

    fileprivate struct Key: Hashable {
        let name: String
        let attributes: [Attribute]
    }

    // 2^44 generations: at a thousand new series a second they last for five hundred years.
    private static let indexBits: UInt64 = 20
    private static let indexMask: UInt64 = 1 << indexBits - 1

    private let bound: Int
    private let sees: Set<PluginDescriptor.View>
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var generation: UInt64 = 0
    private var handles: [Key: UInt64] = [:]
    private var takenCommits: UInt64 = 0

    /// A table of at most `bound` open series, a million at most, of a source that observes there.
    init(bound: Int, sees: Set<PluginDescriptor.View> = []) {
        self.sees = sees
        self.bound = min(bound, Int(Self.indexMask))
    }

    /// The open series that sinks have.
    var liveSeries: [Series] { entries.compactMap { $0 }.filter(isLive).map(\.series) }

    /// Whether sinks have a series, so that it has to end: a series that was read only for commits that were refused does
    /// not, or the ends alone would grow for as long as the log has no room.
    func isLive(_ entry: Entry) -> Bool {
        entry.wasLive || entry.isReported && takenCommits > entry.opened
    }

    /// A commit was taken.
    mutating func commitIsTaken() { takenCommits &+= 1 }

    /// Whether no more can be opened.
    var isFull: Bool { handles.count >= bound }

    /// The handles of the open series.
    var openHandles: [UInt64] { Array(handles.values) }

    /// The series behind a handle; nil when it is dead.
    func series(of handle: UInt64) -> Series? { index(of: handle).flatMap { entries[$0]?.series } }

    /// The series with a number above `number` that have a sample, with their handles; in no order.
    func reported(above number: UInt64) -> [(series: Series, handle: UInt64)] {
        handles.values.compactMap { handle in
            guard let entry = index(of: handle).flatMap({ entries[$0] }), entry.isReported,
                entry.series.id.rawValue > number
            else { return nil }
            return (entry.series, handle)
        }
    }

    /// The last point of a series; nil when the handle is dead.
    func lastPoint(of handle: UInt64) -> SpooledPoint? {
        guard let entry = index(of: handle).flatMap({ entries[$0] }) else { return nil }
        return SpooledPoint(series: entry.series, time: entry.time, start: nil, value: entry.value)
    }

    /// The handle of the series of that name and attributes, if it is open; a refusal when it has another kind or unit.
    func handle(of specification: SeriesSpecification) -> Result<UInt64, SeriesRefusal>? {
        let key = Key(name: specification.name, attributes: specification.attributes)
        guard let handle = handles[key], let entry = index(of: handle).flatMap({ entries[$0] }) else { return nil }
        guard entry.series.kind == specification.kind else { return .failure(.otherKind) }
        guard entry.unit == specification.unit else { return .failure(.otherUnit) }
        return .success(handle)
    }

    /// Opens a series, while the table is not full; `isLive`: sinks have it.
    mutating func open(_ specification: SeriesSpecification, as series: Series, isLive: Bool) -> UInt64 {
        generation &+= 1
        let key = Key(name: specification.name, attributes: specification.attributes)
        let entry = Entry(
            specification, series, wasLive: isLive, opened: takenCommits, sees: sees, generation: generation, key: key)
        let index = free.popLast() ?? entries.count
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        let handle = generation << Self.indexBits | UInt64(index)
        handles[key] = handle
        return handle
    }

    /// Closes a series and returns it; nil when the handle is dead.
    mutating func close(_ handle: UInt64) -> Entry? {
        guard let index = index(of: handle), let entry = entries[index] else { return nil }
        entries[index] = nil
        free.append(index)
        handles[entry.key] = nil
        return entry
    }

    /// Normalizes one sample of a series; nil when the handle is dead or the value does not fit.
    mutating func normalize(
        _ value: SampleValue,
        of handle: UInt64,
        wall: Timestamp,
        at time: MonotonicInstant
    ) -> (Entry, SeriesNormalizer.Output)? {
        guard let index = index(of: handle), let entry = entries[index] else { return nil }
        guard let output = entry.normalizer.normalize(value, wall: wall, at: time) else { return nil }
        entry.value = output.value
        entry.time = wall
        return (entry, output)
    }

    private func index(of handle: UInt64) -> Int? {
        let index = Int(handle & Self.indexMask)
        guard index < entries.count, let entry = entries[index] else { return nil }
        return entry.generation == handle >> Self.indexBits ? index : nil
    }
}

/// Why a series is refused.
enum SeriesRefusal: String, Error, Hashable {
    /// It has no name or too many attributes, or one of them twice.
    case malformed
    /// The source has reached its bound on open series.
    case limit = "series_limit"
    /// It is open with another kind.
    case otherKind = "other_kind"
    /// It is open with another unit.
    case otherUnit = "other_unit"
}

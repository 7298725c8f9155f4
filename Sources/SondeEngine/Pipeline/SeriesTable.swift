internal import SondeDomain

/// The open series of one source by handle.
///
/// Handles are never reused; the table is bounded. Not thread-safe.
struct SeriesTable {
    /// What is known of an open series.
    final class Entry {
        let series: Series
        let history: [HistoryContribution]
        let fact: SnapshotFact?
        let list: TopListDefinition?
        /// The unit in which the source reports.
        fileprivate let unit: String
        fileprivate let key: Key
        /// Whether sinks had it before it was opened, and have no end of it.
        fileprivate let wasLive: Bool
        /// How many commits had been taken when it was opened.
        fileprivate let opened: UInt64

        fileprivate init(
            _ specification: SeriesSpecification,
            _ series: Series,
            wasLive: Bool,
            opened: UInt64,
            sees: Set<PluginDescriptor.View>,
            list: TopListDefinition?,
            key: Key
        ) {
            self.series = series
            self.wasLive = wasLive
            self.opened = opened
            self.key = key
            unit = specification.unit
            history = HistoryCatalog.contributions(of: series)
            fact = SnapshotFact(series, sees: sees)
            self.list = list
        }

        /// Whether history or snapshots have something of it.
        fileprivate var isShown: Bool { fact != nil || list != nil || !history.isEmpty }
    }

    /// Which samples of a series sinks get.
    private enum Sending {
        case never
        case always
        /// Those of an info metric are the same each time.
        case oncePerMinute
    }

    /// What a sample of a series changes.
    private struct Reading {
        var normalizer: SeriesNormalizer
        /// The value of the last sample that was taken, in the base unit; ended: none was.
        var value = SampleValue.ended
        /// When it was observed.
        var time = Timestamp(nanoseconds: 0)
        let sending: Sending
        /// As the entry says, which lies elsewhere in memory.
        let isShown: Bool

        init(_ specification: SeriesSpecification, isSent: Bool, isShown: Bool) {
            normalizer = SeriesNormalizer(specification)
            self.isShown = isShown
            sending = !isSent ? .never : specification.kind == .info ? .oncePerMinute : .always
        }

        /// Normalizes one sample; false when its value does not fit.
        mutating func normalize(
            _ sample: SampleValue, at wall: Timestamp, _ instant: MonotonicInstant,
            into output: inout SeriesNormalizer.Output
        ) -> Bool {
            guard normalizer.normalize(sample, wall: wall, at: instant, into: &output) else { return false }
            value = output.value
            time = wall
            return true
        }
    }

    fileprivate struct Key: Hashable {
        let name: String
        let attributes: [Attribute]
    }

    // 2^44 generations: at a thousand new series a second they last for five hundred years.
    private static let indexBits: UInt64 = 20
    private static let indexMask: UInt64 = 1 << indexBits - 1

    /// A collection may be a little early: the one after a minute counts.
    private static let infoPause = Nanoseconds(MetricKind.infoPeriod.value / 60 * 59)

    /// How many free places are kept, whatever the number of series.
    private static let mostKeptFree = 256

    private let bound: Int
    private let sees: Set<PluginDescriptor.View>
    private let lists: [String: TopListDefinition]
    // By place; what each sample needs lies side by side, in the order in which series were opened and are mostly read. Where
    // one was closed there is no entry and no series, and the generation is 0.
    private var entries: [Entry?] = []
    private var generations: [UInt64] = []
    private var series: [Series?] = []
    private var readings: [Reading] = []
    private var free: [Int] = []
    private var generation: UInt64 = 0
    private var handles: [Key: UInt64] = [:]
    private var takenCommits: UInt64 = 0
    /// When sinks got info metrics last, by place.
    private var infoTimes: [Int: MonotonicInstant] = [:]
    /// The places of info metrics that sinks get with the commit in hand.
    private var sentInfo: [Int] = []

    /// A table of at most `bound` open series, a million at most, of a source that observes there and ranks by metric.
    init(bound: Int, sees: Set<PluginDescriptor.View> = [], lists: [String: TopListDefinition] = [:]) {
        self.sees = sees
        self.lists = lists
        self.bound = min(bound, Int(Self.indexMask))
    }

    /// The open series that sinks have.
    var liveSeries: [Series] { series.indices.compactMap { isLive(at: $0) ? series[$0] : nil } }

    /// Whether sinks have a series, so that it has to end: a series that was read only for commits that were refused does
    /// not, or the ends alone would grow for as long as the log has no room.
    private func isLive(at place: Int) -> Bool {
        guard let entry = entries[place] else { return false }
        return entry.wasLive
            || readings[place].sending != .never && isReported(at: place) && takenCommits > entry.opened
    }

    /// Whether there was a sample of it.
    private func isReported(at place: Int) -> Bool { !readings[place].value.isEnd }

    /// A commit was taken.
    mutating func commitIsTaken() {
        takenCommits &+= 1
        sentInfo.removeAll(keepingCapacity: true)
        removeFreePlaces()
    }

    /// Gives back the memory of a burst of series: the free places behind the last open series, where they are many.
    private mutating func removeFreePlaces() {
        let kept = max(entries.count / 4, Self.mostKeptFree)
        guard free.count > kept else { return }
        // New series go to the lowest places, so that those behind become free.
        free.sort(by: >)
        let used = (entries.lastIndex { $0 != nil } ?? -1) + 1
        guard entries.count - used > kept else { return }
        entries = Array(entries[..<used])
        generations = Array(generations[..<used])
        series = Array(series[..<used])
        readings = Array(readings[..<used])
        free = free.filter { $0 < used }
        // A dictionary keeps its capacity.
        handles = Dictionary(uniqueKeysWithValues: handles.map { $0 })
    }

    /// A commit was refused: sinks did not get what they were to get only once a minute.
    mutating func commitIsRefused() {
        for place in sentInfo { infoTimes[place] = nil }
        sentInfo.removeAll(keepingCapacity: true)
    }

    /// Whether no more can be opened.
    var isFull: Bool { handles.count >= bound }

    /// The handles of the open series.
    var openHandles: [UInt64] { Array(handles.values) }

    /// The series behind a handle; nil when it is dead.
    func series(of handle: UInt64) -> Series? { place(of: handle).flatMap { series[$0] } }

    /// The series with a number above `number` that have a sample, with their handles; in no order.
    func reported(above number: UInt64) -> [(series: Series, handle: UInt64)] {
        handles.values.compactMap { handle in
            guard let place = place(of: handle), isReported(at: place), let series = series[place],
                series.id.rawValue > number
            else { return nil }
            return (series, handle)
        }
    }

    /// The last point of a series; nil when the handle is dead.
    func lastPoint(of handle: UInt64) -> SpooledPoint? {
        guard let place = place(of: handle), let series = series[place] else { return nil }
        let reading = readings[place]
        return SpooledPoint(
            series: series, time: reading.time, start: reading.normalizer.start, value: reading.value)
    }

    /// The handle of the series of that name and attributes, if it is open; a refusal when it has another kind or unit.
    func handle(of specification: SeriesSpecification) -> Result<UInt64, SeriesRefusal>? {
        let key = Key(name: specification.name, attributes: specification.attributes)
        guard let handle = handles[key], let entry = place(of: handle).flatMap({ entries[$0] }) else { return nil }
        guard entry.series.kind == specification.kind else { return .failure(.otherKind) }
        guard entry.unit == specification.unit else { return .failure(.otherUnit) }
        return .success(handle)
    }

    /// Opens a series, while the table is not full; `isLive`: sinks have it, `isSent`: they get it.
    mutating func open(
        _ specification: SeriesSpecification, as series: Series, isLive: Bool, isSent: Bool
    ) -> UInt64 {
        generation &+= 1
        let key = Key(name: specification.name, attributes: specification.attributes)
        let entry = Entry(
            specification, series, wasLive: isLive, opened: takenCommits, sees: sees, list: lists[specification.name],
            key: key)
        let reading = Reading(specification, isSent: isSent, isShown: entry.isShown)
        let place = free.popLast() ?? entries.count
        if place == entries.count {
            entries.append(entry)
            generations.append(generation)
            self.series.append(series)
            readings.append(reading)
        } else {
            (entries[place], generations[place], self.series[place]) = (entry, generation, series)
            readings[place] = reading
        }
        let handle = generation << Self.indexBits | UInt64(place)
        handles[key] = handle
        return handle
    }

    /// Closes a series and returns it, and whether sinks have it; nil when the handle is dead.
    mutating func close(_ handle: UInt64) -> (entry: Entry, isLive: Bool)? {
        guard let place = place(of: handle), let entry = entries[place] else { return nil }
        let isLive = isLive(at: place)
        (entries[place], generations[place], series[place]) = (nil, 0, nil)
        infoTimes[place] = nil
        free.append(place)
        handles[entry.key] = nil
        return (entry, isLive)
    }

    /// Normalizes one sample; the place of its series until one is opened or closed, nil when the handle is dead or the value
    /// does not fit.
    mutating func normalize(
        _ sample: Sample, at wall: Timestamp, _ instant: MonotonicInstant, into output: inout SeriesNormalizer.Output
    ) -> Int? {
        guard let place = place(of: sample.series),
            readings[place].normalize(sample.value, at: wall, instant, into: &output)
        else { return nil }
        return place
    }

    /// Whether sinks get a sample of the series at a place.
    mutating func isSent(at place: Int, _ now: MonotonicInstant) -> Bool {
        switch readings[place].sending {
        case .always: true
        case .never: false
        case .oncePerMinute: isInfoDue(at: place, now)
        }
    }

    private mutating func isInfoDue(at place: Int, _ now: MonotonicInstant) -> Bool {
        if let sent = infoTimes[place], now.since(sent) < Self.infoPause { return false }
        infoTimes[place] = now
        sentInfo.append(place)
        return true
    }

    /// The series at a place.
    func series(at place: Int) -> Series? { series[place] }

    /// What is known of the series at a place, if history or snapshots have something of it.
    func shown(at place: Int) -> Entry? { readings[place].isShown ? entries[place] : nil }

    /// The place of an open series; nil when the handle is dead.
    private func place(of handle: UInt64) -> Int? {
        let place = Int(handle & Self.indexMask)
        guard handle != 0, place < generations.count, generations[place] == handle >> Self.indexBits else { return nil }
        return place
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

internal import SondeDomain

/// The open series of one source by handle.
///
/// Handles are never reused; the table is bounded. Not thread-safe.
struct SeriesTable {
    /// An open series with what its samples need; shared, because each sample looks at it and copying costs.
    final class Entry {
        let series: Series
        let history: [HistoryContribution]
        let fact: SnapshotFact?
        // Its channel holds a lock while it is in use: looking for a second user costs half as much as normalizing.
        @exclusivity(unchecked) var normalizer: SeriesNormalizer
        fileprivate let generation: UInt64
        fileprivate let key: Key

        fileprivate init(_ specification: SeriesSpecification, _ series: Series, generation: UInt64, key: Key) {
            self.series = series
            self.generation = generation
            self.key = key
            history = HistoryCatalog.contributions(of: series)
            fact = SnapshotFact(series)
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
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var generation: UInt64 = 0
    private var handles: [Key: UInt64] = [:]

    /// A table of at most `bound` open series, a million at the utmost.
    init(bound: Int) {
        self.bound = min(bound, Int(Self.indexMask))
    }

    /// The open series.
    var openSeries: [Series] { entries.compactMap { $0?.series } }

    /// The handle of the series of that name and attributes, if it is open.
    func handle(of specification: SeriesSpecification) -> UInt64? {
        handles[Key(name: specification.name, attributes: specification.attributes)]
    }

    /// Opens a series; nil when the bound is reached.
    mutating func open(_ specification: SeriesSpecification, as series: Series) -> UInt64? {
        guard handles.count < bound else { return nil }
        generation &+= 1
        let key = Key(name: specification.name, attributes: specification.attributes)
        let entry = Entry(specification, series, generation: generation, key: key)
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
        return (entry, output)
    }

    private func index(of handle: UInt64) -> Int? {
        let index = Int(handle & Self.indexMask)
        guard index < entries.count, let entry = entries[index] else { return nil }
        return entry.generation == handle >> Self.indexBits ? index : nil
    }
}

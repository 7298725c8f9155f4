internal import SondeDomain
internal import Synchronization

/// What tells series apart.
struct SeriesDefinition: Hashable {
    let source: String
    let name: String
    let kind: MetricKind
    let unit: String
    let attributes: [Attribute]
    let labels: [Attribute]
}

/// Gives equal definitions one series, so that what is read from disk meets what is open in the process.
///
/// May be called from any thread.
final class SeriesInterner: Sendable {
    // Numbers below are given by the pipeline, one by one from 1.
    private static let firstID: UInt64 = 1 << 63
    /// Where the numbers of series begin that were read from dead letters: apart from those of the log, since a sink may
    /// get both.
    static let firstDeadLetterID: UInt64 = 3 << 62
    // A table that is full starts again: then equal series may differ in number, which costs receivers nothing.
    // Two segments' worth, as the one that is read may be behind the one that is written.
    private static let bound = 2 * DiskLog.seriesPerSegment

    private let known = Mutex<[SeriesDefinition: Series]>([:])
    private let nextID: Atomic<UInt64>

    /// An empty table that numbers from `first` on.
    init(from first: UInt64 = firstID) {
        nextID = Atomic(first)
    }

    /// Remembers a series of this process.
    func register(_ series: Series) {
        let definition = SeriesDefinition(
            source: series.source,
            name: series.name,
            kind: series.kind,
            unit: series.unit,
            attributes: series.attributes,
            labels: series.labels
        )
        known.withLock { known in
            if known.count >= Self.bound { known.removeAll() }
            known[definition] = series
        }
    }

    /// The series of a definition.
    func series(_ definition: SeriesDefinition) -> Series {
        known.withLock { known in
            if let series = known[definition] { return series }
            let series = Series(
                id: SeriesID(rawValue: nextID.wrappingAdd(1, ordering: .relaxed).oldValue),
                source: definition.source,
                name: definition.name,
                kind: definition.kind,
                unit: definition.unit,
                attributes: definition.attributes,
                labels: definition.labels
            )
            if known.count >= Self.bound { known.removeAll() }
            known[definition] = series
            return series
        }
    }
}

internal import SondeDomain
internal import Synchronization

/// Gives equal definitions one number, and one series while the segment that is written has it, so that series read
/// from disk match those open in the process.
///
/// May be called from any thread.
final class SeriesInterner: Sendable {
    fileprivate struct Known {
        let id: SeriesID
        // Strong, as a weak one would make every later use of the series slower; freed with the segment.
        let series: Series?
        /// Whether the segment that is written has it.
        let isWritten: Bool
    }

    fileprivate struct Table {
        var known: [SeriesFingerprint: Known] = [:]
        let others: ClosedRange<Int>
        var room: Int

        init(others: ClosedRange<Int>) {
            (self.others, room) = (others, others.lowerBound)
        }
    }

    // Numbers below are assigned by the pipeline, one by one from 1.
    private static let firstID: UInt64 = 1 << 63
    /// The first number for series read from dead letters: separate from those of the log, since a sink may
    /// get both.
    static let firstDeadLetterID: UInt64 = 3 << 62

    private let table: Mutex<Table>
    private let nextID: Atomic<UInt64>

    /// An empty table that numbers from `first` on.
    ///
    /// It keeps as many series beside those of the segment that is written as that has, within `others`. More are
    /// forgotten: then equal series may differ in number.
    init(from first: UInt64 = firstID, others: ClosedRange<Int> = SegmentStore.endedPerSegment) {
        table = Mutex(Table(others: others))
        nextID = Atomic(first)
    }

    /// A new segment is written: of the series before, only the numbers are kept.
    func beginSegment() {
        table.withLock { table in
            table.closeSegment()
            // In place: a copy of a table of many series stays in the heap. Its `indices` would refer to it, and make the first
            // change copy it.
            var index = table.known.startIndex
            while index != table.known.endIndex {
                let id = table.known.values[index].id
                table.known.values[index] = Known(id: id, series: nil, isWritten: false)
                table.known.formIndex(after: &index)
            }
        }
    }

    /// Adds a series of this process.
    func register(_ series: Series) {
        let fingerprint = SeriesFingerprint(series)
        table.withLock { $0.add(Known(id: series.id, series: series, isWritten: true), as: fingerprint) }
    }

    /// The series equal to `definition`, whose own number is ignored.
    func series(_ definition: Series) -> Series {
        let fingerprint = SeriesFingerprint(definition)
        return table.withLock { table in
            let entry = table.known[fingerprint]
            if let series = entry?.series { return series }
            let series = definition.numbered(entry?.id ?? newID())
            table.add(Known(id: series.id, series: series, isWritten: false), as: fingerprint)
            return series
        }
    }

    private func newID() -> SeriesID {
        SeriesID(rawValue: nextID.wrappingAdd(1, ordering: .relaxed).oldValue)
    }
}

extension SeriesInterner.Table {
    fileprivate mutating func add(_ series: SeriesInterner.Known, as fingerprint: SeriesFingerprint) {
        if known.updateValue(series, forKey: fingerprint) == nil, known.count > room { makeRoom() }
    }

    private mutating func makeRoom() {
        known = known.filter { $0.value.isWritten }
        room = room(beside: known.count)
    }

    /// The segment that was written is complete: beside a smaller one fewer are kept.
    fileprivate mutating func closeSegment() {
        room = room(beside: known.values.count { $0.isWritten })
        if known.count > room { makeRoom() }
    }

    private func room(beside written: Int) -> Int {
        written + min(max(written, others.lowerBound), others.upperBound)
    }
}

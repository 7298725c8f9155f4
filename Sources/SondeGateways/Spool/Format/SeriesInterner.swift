internal import SondeDomain
internal import Synchronization

/// Gives equal definitions one number, and one series while the segment that is written has it, so that series read
/// from disk match those open in the process.
///
/// May be called from any thread.
final class SeriesInterner: Sendable {
    private struct Known {
        let id: SeriesID
        // Strong, as a weak one would make every later use of the series slower; freed with the segment.
        let series: Series?
    }

    // Numbers below are assigned by the pipeline, one by one from 1.
    private static let firstID: UInt64 = 1 << 63
    /// The first number for series read from dead letters: separate from those of the log, since a sink may
    /// get both.
    static let firstDeadLetterID: UInt64 = 3 << 62
    // A table that is full starts again: then equal series may differ in number, which does not affect receivers.
    // Two segments' worth, with what each inherits, as the one that is read may be older than the one that is written.
    private static let bound = 4 * SegmentStore.seriesPerSegment

    private let known = Mutex<[SeriesFingerprint: Known]>([:])
    private let nextID: Atomic<UInt64>

    /// An empty table that numbers from `first` on.
    init(from first: UInt64 = firstID) {
        nextID = Atomic(first)
    }

    /// A new segment is written: of the series before, only the numbers are kept.
    func beginSegment() {
        known.withLock { known in
            known = known.mapValues { Known(id: $0.id, series: nil) }
        }
    }

    /// Adds a series of this process.
    func register(_ series: Series) {
        let fingerprint = SeriesFingerprint(series)
        known.withLock { known in
            Self.makeRoom(in: &known)
            known[fingerprint] = Known(id: series.id, series: series)
        }
    }

    /// The series equal to `definition`, whose own number is ignored.
    func series(_ definition: Series) -> Series {
        let fingerprint = SeriesFingerprint(definition)
        return known.withLock { known in
            let entry = known[fingerprint]
            if let series = entry?.series { return series }
            let series = definition.numbered(entry?.id ?? newID())
            Self.makeRoom(in: &known)
            known[fingerprint] = Known(id: series.id, series: series)
            return series
        }
    }

    private static func makeRoom(in known: inout [SeriesFingerprint: Known]) {
        if known.count >= bound { known.removeAll() }
    }

    private func newID() -> SeriesID {
        SeriesID(rawValue: nextID.wrappingAdd(1, ordering: .relaxed).oldValue)
    }
}

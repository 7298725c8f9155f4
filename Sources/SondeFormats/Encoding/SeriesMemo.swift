internal import SondeDomain

/// What an encoder derived from each series, kept by the series' process-stable id, with the bytes it wrote.
///
/// Bounded: when series come and go without end, it starts over between two batches.
struct SeriesMemo<Entry> {
    private struct Known {
        let entry: Entry
        /// The stretch of batches that named it last.
        var stretch: Int
    }

    // In so many batches every series that stays is named.
    private static var stretchLength: Int { 256 }
    // Fewer that came and went are not worth starting over.
    private static var passing: Int { 256 }

    private let bound: Int
    private var batches = 0
    private var stretch = 0
    /// How many series this stretch has named.
    private var named = 0
    private var known: [SeriesID: Known] = [:]
    /// The bytes that entries point into.
    private(set) var arena = ByteBuffer()
    /// The entries of the batch in hand, in the order of its series.
    private(set) var entries: [Entry] = []

    /// A memo that starts over beyond `bound` bytes.
    init(bound: Int = 4 << 20) {
        self.bound = bound
    }

    /// Whether the next batch begins again.
    var isFull: Bool {
        if arena.count > bound { return true }
        return batches == Self.stretchLength && known.count > named + named / 2 + Self.passing
    }

    /// Removes everything.
    mutating func removeAll() {
        known.removeAll()
        entries.removeAll()
        (batches, stretch, named) = (0, 0, 0)
        arena = ByteBuffer()
    }

    /// Finds or makes the entry of every series of a batch.
    mutating func resolve(_ series: [Series], make: (Series, inout ByteBuffer) -> Entry) {
        if isFull { removeAll() }
        if batches == Self.stretchLength { (batches, stretch, named) = (0, stretch + 1, 0) }
        batches += 1
        entries.removeAll(keepingCapacity: true)
        for series in series {
            if let index = known.index(forKey: series.id) {
                if known.values[index].stretch != stretch {
                    known.values[index].stretch = stretch
                    named += 1
                }
                entries.append(known.values[index].entry)
            } else {
                let entry = make(series, &arena)
                known[series.id] = Known(entry: entry, stretch: stretch)
                named += 1
                entries.append(entry)
            }
        }
    }
}

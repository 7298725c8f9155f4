internal import SondeDomain

/// What an encoder derived from each series, kept by the series' process-stable id, with the bytes it wrote.
///
/// Bounded: when series come and go without end, it starts over between two batches.
struct SeriesMemo<Entry> {
    // Fewer that came and went are not worth starting over.
    private static var passing: Int { 128 }

    private let bound: Int
    private var known = RecentSeries<Entry>()
    /// The bytes that entries point into.
    private(set) var arena = ByteBuffer()
    /// The entries of the batch in hand, in the order of its series.
    private(set) var entries: [Entry] = []

    /// A memo that starts over beyond `bound` bytes: half a million series of a usual length.
    init(bound: Int = 64 << 20) {
        self.bound = bound
    }

    /// Whether the next batch begins again.
    var isFull: Bool {
        arena.count > bound || known.isRoundOver && known.staleCount > known.count / 4 + Self.passing
    }

    /// Removes everything.
    mutating func removeAll() {
        known.removeAll()
        entries.removeAll()
        arena = ByteBuffer()
    }

    /// Finds or makes the entry of every series of a batch.
    mutating func resolve(_ series: [Series], make: (Series, inout ByteBuffer) -> Entry) {
        if isFull { removeAll() }
        known.beginBatch(of: series.count)
        entries.removeAll(keepingCapacity: true)
        for series in series {
            if let index = known.index(of: series.id) {
                entries.append(known[index])
            } else {
                let entry = make(series, &arena)
                known.add(entry, for: series.id)
                entries.append(entry)
            }
        }
    }
}

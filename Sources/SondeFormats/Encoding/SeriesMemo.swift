internal import SondeDomain

/// What an encoder derived from each series, kept by the series' process-stable id, with the bytes it wrote.
///
/// Bounded: when series come and go without end, it starts over between two batches.
struct SeriesMemo<Entry> {
    // After this many batches every series that stays has been named.
    private static var settling: Int { 256 }
    // Fewer that came and went are not worth starting over.
    private static var passing: Int { 1_024 }

    private let bound: Int
    private var batches = 0
    /// How many were known after the first batches.
    private var settled: Int?
    private var known: [SeriesID: Entry] = [:]
    /// The bytes that entries point into.
    private(set) var arena = ByteBuffer()
    /// The entries of the batch in hand, in the order of its series.
    private(set) var entries: [Entry] = []

    /// A memo that starts over beyond `bound` bytes.
    init(bound: Int = 4 << 20) {
        self.bound = bound
    }

    /// Whether the next batch begins anew.
    var isFull: Bool {
        if arena.count > bound { return true }
        guard let settled else { return false }
        return known.count > settled + settled / 2 + Self.passing
    }

    /// Forgets everything.
    mutating func removeAll() {
        known.removeAll()
        entries.removeAll()
        (batches, settled) = (0, nil)
        arena = ByteBuffer()
    }

    /// Finds or makes the entry of every series of a batch.
    mutating func resolve(_ series: [Series], make: (Series, inout ByteBuffer) -> Entry) {
        if isFull { removeAll() }
        entries.removeAll(keepingCapacity: true)
        for series in series {
            if let entry = known[series.id] {
                entries.append(entry)
            } else {
                let entry = make(series, &arena)
                known[series.id] = entry
                entries.append(entry)
            }
        }
        batches += 1
        if batches == Self.settling { settled = known.count }
    }
}

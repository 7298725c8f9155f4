/// Numbers that are in no segment and were reported, or are about to be.
struct LogGaps {
    /// More gaps are not kept.
    static let bound = 1_024
    private static let unrecordedBound = 64

    private var known: SequenceRanges
    /// Those that no frame records yet.
    private(set) var unrecorded: [GapRecord] = []

    /// The gaps that an earlier run has recorded.
    init(_ known: SequenceRanges) {
        self.known = known
    }

    /// The numbers, in ascending order.
    var ranges: [SequenceRange] { known.ranges }

    /// How many there are, those that no frame records counted twice.
    var count: Int { known.ranges.count &+ unrecorded.count }

    mutating func insert(_ reason: GapRecord.Reason, _ range: SequenceRange) {
        guard !range.isEmpty else { return }
        known.insert(range)
        if unrecorded.count >= Self.unrecordedBound { unrecorded.removeFirst() }
        unrecorded.append(GapRecord(reason, range))
    }

    /// Notes that a frame records all of them.
    mutating func wereRecorded() {
        if !unrecorded.isEmpty { unrecorded.removeAll() }
    }

    /// Forgets what is below a number.
    mutating func removeAll(below number: UInt64) {
        known.removeAll(below: number)
    }
}

/// Which series have room in a history of a fixed size.
///
/// A series that finds room keeps it until its last reading is older than the history.
public struct HistorySlots: Hashable, Sendable {
    /// A series that has room.
    public struct Entry: Hashable, Sendable {
        /// The series.
        public var series: HistorySeries
        /// Whether it is always wanted.
        public var rank: HistoryContribution.Rank
        /// When it was last written to.
        public var last: Timestamp

        /// A series with room.
        public init(_ series: HistorySeries, rank: HistoryContribution.Rank, last: Timestamp) {
            self.series = series
            self.rank = rank
            self.last = last
        }
    }

    /// What came of asking for room.
    public enum Place: Hashable, Sendable {
        /// The series has that slot.
        case kept(Int)
        /// The series has that slot from now on; the one that had it before is removed, with all that was kept of it.
        case given(Int)
        /// There is no room.
        case refused
    }

    /// How much room there is: one unit is a series of values, a distribution takes two.
    public let capacity: Int
    private var entries: [Int: Entry] = [:]
    private var slots: [HistorySeries: Int] = [:]

    /// Room for `capacity` units, some of them taken by these series.
    public init(capacity: Int, _ entries: [Int: Entry] = [:]) {
        self.capacity = capacity
        self.entries = entries
        for (slot, entry) in entries { slots[entry.series] = slot }
    }

    /// The series with room, in order.
    public var all: [Entry] { entries.values.sorted { $0.series < $1.series } }

    /// The series with room, by slot.
    public var bySlot: [(slot: Int, entry: Entry)] {
        entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The slot of a series; nil: it has none.
    public func slot(of series: HistorySeries) -> Int? { slots[series] }

    /// How many units are taken.
    public var units: Int { entries.values.reduce(0) { $0 + Self.units(of: $1.series) } }

    /// Those that keep their room where they take more than there is: what is always wanted first, then what was written to last.
    public var fitting: HistorySlots {
        var fitting = HistorySlots(capacity: capacity)
        let order = entries.sorted { left, right in
            let (one, other) = (left.value, right.value)
            guard one.rank == other.rank else { return one.rank.rawValue < other.rank.rawValue }
            return one.last == other.last ? left.key < right.key : one.last > other.last
        }
        for (slot, entry) in order where fitting.hasRoom(for: entry.series, entry.rank) {
            fitting.entries[slot] = entry
            fitting.slots[entry.series] = slot
        }
        return fitting
    }

    /// Finds room for a series that is written to at `time`, or notes that it was written to again.
    public mutating func place(
        _ series: HistorySeries,
        rank: HistoryContribution.Rank,
        at time: Timestamp
    ) -> Place {
        if let slot = slots[series] {
            entries[slot]?.last = time
            entries[slot]?.rank = rank
            return .kept(slot)
        }
        while !hasRoom(for: series, rank) {
            guard let stale = staleSlot(rank, at: time), let entry = entries.removeValue(forKey: stale) else {
                return .refused
            }
            slots[entry.series] = nil
        }
        let slot = firstFree
        entries[slot] = Entry(series, rank: rank, last: time)
        slots[series] = slot
        return .given(slot)
    }

    private var firstFree: Int {
        var slot = 0
        while entries[slot] != nil { slot += 1 }
        return slot
    }

    private func hasRoom(for series: HistorySeries, _ rank: HistoryContribution.Rank) -> Bool {
        let further = entries.values.count { $0.rank == .further }
        if rank == .further, further >= min(HistoryCatalog.furtherBound, capacity / 2) { return false }
        return units + Self.units(of: series) <= capacity
    }

    /// The series with the oldest last reading, among those that have left the history.
    private func staleSlot(_ rank: HistoryContribution.Rank, at time: Timestamp) -> Int? {
        let oldest = HistoryRange(HistoryTier.month.window, before: time).from
        let stale = entries.filter { $0.value.last < oldest && (rank == .standard || $0.value.rank == .further) }
        return stale.min { ($0.value.last, $0.key) < ($1.value.last, $1.key) }?.key
    }

    private static func units(of series: HistorySeries) -> Int {
        series.metric.shape == .distribution ? 2 : 1
    }
}

/// What was made of the series that batches name, by their numbers.
///
/// A series is found without hashing where it follows the one that it came after first. Batches may hold a part of the
/// series each: one is stale when a round of them, as many batches and names as it takes to name all twice, has passed
/// without it. Where new ones keep coming a round ends early: beside the series that stay, a table holds at most those of two
/// rounds, each ``mostNew`` and a batch. Not thread-safe.
public struct RecentSeries<Value> {
    /// How many batches a round has at least.
    public static var patience: Int { 64 }
    /// How many new series end a round.
    public static var mostNew: Int { 65_536 }
    // A table that is so small needs no full round.
    @usableFromInline static var small: Int { 8_192 }

    @usableFromInline
    struct Kept {
        @usableFromInline let series: SeriesID
        /// The last round that named it.
        @usableFromInline var round: UInt32
        @usableFromInline var value: Value

        @usableFromInline
        init(series: SeriesID, round: UInt32, value: Value) {
            self.series = series
            self.round = round
            self.value = value
        }
    }

    @usableFromInline var kept: [Kept] = []
    /// Indices into ``kept`` by the series' number, -1 where there is none; at most three quarters full, and a power of two.
    @usableFromInline var places: [Int32] = []
    /// Where the next series is expected.
    @usableFromInline var next = 0
    @usableFromInline var round: UInt32 = 0
    /// How many this round has named.
    @usableFromInline var current = 0
    @usableFromInline var batches = 0
    @usableFromInline var names = 0
    /// How many there were when the round began.
    @usableFromInline var before = 0

    /// An empty table.
    @inlinable
    public init() {}

    /// How many series there are.
    @inlinable public var count: Int { kept.count }

    /// How many of them the round has not named.
    @inlinable public var staleCount: Int { kept.count &- current }

    /// Whether a series that the round has not named is stale.
    @inlinable public var isRoundOver: Bool {
        kept.count &- before >= Self.mostNew
            || batches >= Self.patience && names &+ Self.small >= 2 &* kept.count
    }

    /// Removes everything.
    @inlinable
    public mutating func removeAll() {
        self = RecentSeries()
    }

    /// Where a round is over, removes what it has not named, unless that is little.
    @inlinable
    public mutating func removeStale() {
        guard isRoundOver else { return }
        if staleCount > kept.count / 8 {
            kept = kept.filter { $0.round == round }
            next = 0
            makePlaces()
        }
        beginRound()
    }

    /// Begins a batch that names so many series, and a round where the last is over.
    @inlinable
    public mutating func beginBatch(of count: Int) {
        if isRoundOver { beginRound() }
        batches &+= 1
        names &+= count
    }

    @inlinable
    mutating func beginRound() {
        round &+= 1
        (current, batches, names, before) = (0, 0, 0, kept.count)
    }

    /// The index of a series, which is named by that; nil where it is new.
    @inlinable
    public mutating func index(of series: SeriesID) -> Int? {
        var index = next
        if index >= kept.count || kept[index].series != series {
            guard let found = find(series) else { return nil }
            index = found
        }
        next = index &+ 1
        if kept[index].round != round {
            kept[index].round = round
            current &+= 1
        }
        return index
    }

    /// Adds a series that is not in the table; its index, which stays until something is removed.
    @inlinable
    @discardableResult
    public mutating func add(_ value: Value, for series: SeriesID) -> Int {
        let index = kept.count
        kept.append(Kept(series: series, round: round, value: value))
        current &+= 1
        next = index &+ 1
        if kept.count &* 4 > places.count &* 3 { makePlaces() } else { place(index) }
        return index
    }

    /// The value at an index.
    @inlinable
    public subscript(index: Int) -> Value {
        kept[index].value
    }

    @inlinable
    func find(_ series: SeriesID) -> Int? {
        guard !places.isEmpty else { return nil }
        var place = home(of: series)
        while places[place] >= 0 {
            let index = Int(places[place])
            if kept[index].series == series { return index }
            place = (place &+ 1) & (places.count &- 1)
        }
        return nil
    }

    // Numbers are assigned by the process one by one, so that nobody can choose where they collide.
    @inlinable
    func home(of series: SeriesID) -> Int {
        let mixed = series.rawValue &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (places.count &- 1)
    }

    @inlinable
    mutating func place(_ index: Int) {
        var place = home(of: kept[index].series)
        while places[place] >= 0 { place = (place &+ 1) & (places.count &- 1) }
        places[place] = Int32(truncatingIfNeeded: index)
    }

    @inlinable
    mutating func makePlaces() {
        var room = 16
        while room &* 2 < kept.count &* 3 { room *= 2 }
        places = [Int32](repeating: -1, count: room)
        for index in kept.indices { place(index) }
    }
}

extension RecentSeries: Sendable where Value: Sendable {}
extension RecentSeries.Kept: Sendable where Value: Sendable {}

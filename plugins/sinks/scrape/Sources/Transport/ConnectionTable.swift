internal import SondeDomain

/// The connections of clients, each with what it may still take.
///
/// A client that sends its request byte by byte, or does not read its answer, is closed after ten or thirty seconds; where there
/// are too many, one that has got no page yet goes before one that has.
struct ConnectionTable {
    /// What a connection does, in the order in which connections are given up.
    enum Phase: Int, Comparable {
        /// It has not got a page yet.
        case asking
        /// It was served and may ask again.
        case idle
        /// It is being answered.
        case answering

        /// How long it may last.
        var patience: Nanoseconds {
            switch self {
            case .asking: .seconds(10)
            // Longer than the usual intervals of scrapes, so that their connections last.
            case .idle: .seconds(150)
            case .answering: .seconds(30)
            }
        }

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }
    }

    private struct Entry {
        var phase: Phase
        var since: MonotonicInstant
    }

    /// How many there may be.
    let bound: Int
    private var entries: [Int32: Entry] = [:]

    init(bound: Int) {
        self.bound = bound
    }

    /// How many there are.
    var count: Int { entries.count }

    /// Takes a new connection; returns the one that has to go for it.
    mutating func open(_ socket: Int32, at now: MonotonicInstant) -> Int32? {
        let given =
            entries.count < bound
            ? nil : entries.min { ($0.value.phase, $0.value.since) < ($1.value.phase, $1.value.since) }?.key
        // It is closed later: until then it is no longer counted.
        if let given { entries[given] = nil }
        entries[socket] = Entry(phase: .asking, since: now)
        return given
    }

    /// A connection has another phase now; does nothing where it was given up.
    mutating func enter(_ phase: Phase, _ socket: Int32, at now: MonotonicInstant) {
        if entries[socket] != nil { entries[socket] = Entry(phase: phase, since: now) }
    }

    /// A request was answered: who got a page may ask again, others have had their turn.
    mutating func complete(_ socket: Int32, at now: MonotonicInstant) {
        if entries[socket]?.phase == .answering { enter(.idle, socket, at: now) }
    }

    /// A connection is closed.
    mutating func close(_ socket: Int32) {
        entries[socket] = nil
    }

    /// Takes out and returns the connections that have lasted too long.
    mutating func late(at now: MonotonicInstant) -> [Int32] {
        let late = entries.filter { now.since($0.value.since) > $0.value.phase.patience }.map(\.key)
        for socket in late { entries[socket] = nil }
        return late
    }
}

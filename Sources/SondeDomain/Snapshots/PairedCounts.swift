/// What two sources count of the same thing, over the time that both have reported.
///
/// Each reports at its own interval: a count belongs evenly to the time since the one before. What only one has reported so far
/// waits for the other, up to ``waitingBound`` counts. Monotonic time only.
struct PairedCounts: Sendable {
    /// Which of both.
    enum Side: Int, Sendable {
        case seen
        case reported
    }

    /// What was counted in a stretch.
    struct Count: Hashable, Sendable {
        var from: MonotonicInstant
        var to: MonotonicInstant
        var amount: Double
        /// How much of it is of a kind that the other side cannot have.
        var hidden = 0.0
    }

    /// How many counts of one side wait at most; the oldest are dropped.
    static let waitingBound = 1_024

    private var waiting: [[Count]] = [[], []]
    private var totals: [WindowStatistics]
    private var hidden: WindowStatistics

    init(window: Nanoseconds) {
        totals = [WindowStatistics(window: window), WindowStatistics(window: window)]
        hidden = WindowStatistics(window: window)
    }

    /// Takes what one side counted; counts of a side follow each other.
    mutating func add(_ count: Count, of side: Side) {
        guard count.from < count.to, count.amount.isFinite, count.hidden.isFinite else { return }
        waiting[side.rawValue].append(count)
        settle()
        let excess = waiting[side.rawValue].count - Self.waitingBound
        if excess > 0 { waiting[side.rawValue].removeFirst(excess) }
    }

    /// What both sides have counted, and what of the second is hidden from the first; nil: nothing together.
    func totals(at now: MonotonicInstant) -> (seen: Double, reported: Double, hidden: Double)? {
        guard let seen = totals[0].total(at: now), let reported = totals[1].total(at: now) else { return nil }
        return (seen, reported, hidden.total(at: now) ?? 0)
    }

    private mutating func settle() {
        var places = (0, 0)
        while places.0 < waiting[0].count, places.1 < waiting[1].count {
            let (first, second) = (waiting[0][places.0], waiting[1][places.1])
            let (from, to) = (max(first.from, second.from), min(first.to, second.to))
            if from < to {
                let span = to.since(from)
                totals[0].add(first.rate(first.amount), held: span, at: to)
                totals[1].add(second.rate(second.amount), held: span, at: to)
                hidden.add(second.rate(second.hidden), held: span, at: to)
            }
            // A count is done with when nothing more of the other side can fall into it.
            if first.to <= second.to { places.0 += 1 }
            if second.to <= first.to { places.1 += 1 }
        }
        waiting[0].removeFirst(places.0)
        waiting[1].removeFirst(places.1)
    }
}

extension PairedCounts.Count {
    /// A part of it per second.
    fileprivate func rate(_ part: Double) -> Double { part / to.since(from).seconds }
}

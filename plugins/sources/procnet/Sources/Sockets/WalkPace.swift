internal import SondeDomain

/// When something is read that costs more the more there is of it: as often as the budget allows, every five seconds at most,
/// and once a minute at least.
struct WalkPace {
    /// No sooner than this after another: a collection every second is for rates, which states of sockets are not.
    static let shortest = Nanoseconds.seconds(5)
    /// No longer than this between two walks, at any cost.
    static let longest = Nanoseconds.seconds(60)

    /// The share of one core that walks may take.
    private let budget: Double
    private var last: MonotonicInstant?
    private(set) var period = Nanoseconds.zero

    /// A pace with a budget in percent of one core.
    init(percent: Double) {
        budget = max(percent, 0.001) / 100
    }

    /// Whether to walk now, when the next chance comes an interval later.
    func isDue(at now: MonotonicInstant, interval: Nanoseconds) -> Bool {
        guard let last else { return true }
        let passed = now.since(last)
        // Timers are late by a moment now and then: a hundredth of the interval is no reason to miss a turn.
        return passed.value &+ interval.value / 100 >= period.value
            || passed.value &+ interval.value > Self.longest.value
    }

    /// Takes what a walk that began at `start` has cost.
    mutating func walked(at start: MonotonicInstant, cost: Nanoseconds) {
        last = start
        let wanted = Double(max(cost.value, 0)) / budget
        period = wanted < Double(Self.longest.value) ? max(Nanoseconds(Int64(wanted)), Self.shortest) : Self.longest
    }
}

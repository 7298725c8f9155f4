public import SondeDomain

/// When a source collects, and when it ticks between collections: fixed steps on the monotonic clock.
///
/// What is missed is skipped and counted, and not repeated. Not safe for use by several threads at once.
public struct CollectionGrid: Sendable {
    /// When the next collection is due; nil: at once.
    public private(set) var nextCollection: MonotonicInstant?
    /// When the next tick is due; nil: none before the next collection.
    public private(set) var nextTick: MonotonicInstant?

    private let interval: Int64
    private let phase: Nanoseconds
    private var origin: MonotonicInstant?

    /// A grid of one interval.
    ///
    /// `phase`: from the first collection to the second, instead of an interval; zero: an interval.
    public init(interval: Nanoseconds, phase: Nanoseconds = .zero) {
        self.interval = max(interval.value, 1)
        self.phase = phase
    }

    /// When the next collection or tick is due; nil: at once.
    public var nextWake: MonotonicInstant? {
        guard let nextCollection, let nextTick else { return nextCollection }
        return min(nextTick, nextCollection)
    }

    /// The first collection is made: the grid starts at it, or at its phase; later calls change nothing.
    public mutating func begin(at first: MonotonicInstant) {
        guard origin == nil else { return }
        origin = phase > .zero ? first.advanced(by: Nanoseconds(phase.value &- interval)) : first
        // The current collection counts as this one, so that those missed until the next are counted.
        nextCollection = origin
    }

    /// The next collection does not wait for its time.
    public mutating func collectAtOnce() {
        nextCollection = nil
    }

    /// There is nothing more to collect.
    public mutating func rest() {
        nextCollection = .distantFuture
    }

    /// A collection that began at an instant is over: sets the next one, which is in the future, and its ticks.
    ///
    /// Returns how many between them are missed.
    public mutating func advance(
        after began: MonotonicInstant,
        at now: MonotonicInstant,
        tickPeriod: Nanoseconds
    ) -> Int64 {
        let first = origin ?? began
        let due = nextCollection ?? began
        let index = max(0, now.since(first).value) / interval + 1
        let next = first.advanced(by: Nanoseconds(interval) * index)
        nextCollection = next
        advanceTick(after: next.advanced(by: Nanoseconds(-interval)), at: now, period: tickPeriod)
        return max(0, next.since(due).value / interval - 1)
    }

    /// Sets the next tick of the grid that begins at `start`; zero: there is none.
    ///
    /// A collection is a reading as well: the tick at the same time is left out, so that it wakes nothing.
    public mutating func advanceTick(after start: MonotonicInstant, at now: MonotonicInstant, period: Nanoseconds) {
        nextTick = nil
        guard period > .zero else { return }
        let skipped = max(0, now.since(start).value) / period.value
        let tick = start.advanced(by: period * (skipped + 1))
        if let nextCollection, nextCollection.since(tick).value <= period.value / 2 { return }
        nextTick = tick
    }

    /// Nothing is collected before an instant.
    public mutating func postpone(until instant: MonotonicInstant) {
        nextCollection = instant
    }

    /// Nothing is collected before an instant, and then on the grid: for a retry after a failure.
    public mutating func skip(to instant: MonotonicInstant) {
        guard let origin else { return postpone(until: instant) }
        let since = max(0, instant.since(origin).value)
        let index = since / interval + (since % interval == 0 ? 0 : 1)
        nextCollection = origin.advanced(by: Nanoseconds(interval) * index)
    }
}

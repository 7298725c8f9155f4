/// Follows one cumulative counter and computes what each reading adds.
///
/// A decrease is a reset unless the counter's width is known and counting past its end explains the new value: the old
/// one was in the last quarter of the range and the step is at most a quarter of it. A counter of 32 bits
/// continues past its end, so that it never falls without a new start; how often it has wrapped before is unknown, so its
/// start is its first reading. Rates use monotonic time, so a stepped wall clock changes none.
public struct CounterTracker: Sendable {
    /// The verdict on one reading, with what it added.
    public struct Reading: Hashable, Sendable {
        /// What the reading is.
        public var verdict: CounterVerdict
        /// What was added since the reading before; nil after `first` and `reset`.
        public var delta: Double?
        /// The delta per second; nil where there is no delta, no time has passed, or a double cannot hold it.
        public var rate: Double?
        /// How long the delta took.
        public var elapsed: Nanoseconds
        /// When the count was zero, if known.
        public var start: Timestamp?
    }

    private var previous: SampleValue?
    private var previousTime = MonotonicInstant(nanoseconds: 0)
    private var previousWall = Timestamp(nanoseconds: 0)
    /// When the count was zero, if known.
    private(set) var start: Timestamp?
    private let bits: Int?
    /// What a counter of 32 bits has counted before its last wrap: to be added to each reading.
    private(set) var passed: UInt64 = 0

    /// A tracker of a counter that was zero at `start` and is `bits` wide, as far as either is known.
    public init(start: Timestamp?, bits: Int?) {
        self.start = start
        self.bits = bits
    }

    /// Takes one reading.
    public mutating func observe(_ value: SampleValue, wall: Timestamp, at time: MonotonicInstant) -> Reading {
        let step = step(to: value)
        var reading = Reading(verdict: step.verdict, delta: step.delta, elapsed: .zero, start: start)
        switch step.verdict {
        case .first: if bits == 32 { start = wall }
        case .ok: break
        case .wrap: if bits == 32 { passed &+= 1 << 32 } else { restart(wall) }
        case .reset: restart(wall)
        }
        reading.start = start
        if previous != nil { reading.elapsed = time.since(previousTime) }
        if let delta = step.delta, reading.elapsed.value > 0 {
            let rate = delta / reading.elapsed.seconds
            reading.rate = rate.isFinite ? rate : nil
        }
        previous = value
        previousTime = time
        previousWall = wall
        return reading
    }

    private mutating func restart(_ wall: Timestamp) {
        // After a step back of the wall clock the reading before would be in the future.
        start = min(previousWall, wall)
        passed = 0
    }

    private func step(to value: SampleValue) -> (verdict: CounterVerdict, delta: Double?) {
        guard let previous else { return (.first, nil) }
        if case .unsigned(let old) = previous, case .unsigned(let new) = value {
            if new >= old { return (.ok, Double(new - old)) }
            guard let wrapped = wrappedStep(from: old, to: new) else { return (.reset, nil) }
            return (.wrap, wrapped)
        }
        guard let old = previous.asDouble, let new = value.asDouble else { return (.ok, nil) }
        return new >= old ? (.ok, new - old) : (.reset, nil)
    }

    private func wrappedStep(from old: UInt64, to new: UInt64) -> Double? {
        switch bits {
        case 32:
            let range: UInt64 = 1 << 32
            guard old < range else { return nil }
            let step = range - old + new
            return step <= range / 4 ? Double(step) : nil
        case 64:
            let step = (UInt64.max - old) &+ new &+ 1
            return step <= UInt64.max / 4 ? Double(step) : nil
        default: return nil
        }
    }
}

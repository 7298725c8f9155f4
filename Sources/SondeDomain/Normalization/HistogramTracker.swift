/// Follows one cumulative histogram and detects when it was reset.
///
/// Any count that falls, or other bounds, is a reset: the histogram has a new start then.
public struct HistogramTracker: Sendable {
    private var previous: HistogramValue?
    private var previousWall = Timestamp(nanoseconds: 0)
    /// When the counts were zero, if known.
    private(set) var start: Timestamp?

    /// A tracker of a histogram that was empty at `start`, if that is known.
    public init(start: Timestamp?) {
        self.start = start
    }

    /// Takes one reading and returns when the histogram was empty, if that is known.
    public mutating func observe(_ value: HistogramValue, wall: Timestamp) -> Timestamp? {
        defer {
            previous = value
            previousWall = wall
        }
        guard let previous else { return start }
        let continues =
            previous.bounds == value.bounds && zip(previous.counts, value.counts).allSatisfy { $0 <= $1 }
        guard !continues else { return start }
        // After a step back of the wall clock the reading before would be in the future.
        start = min(previousWall, wall)
        return start
    }
}

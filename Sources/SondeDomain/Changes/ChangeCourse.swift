/// A series within a range, minute by minute.
public struct ChangeCourse: Sendable {
    /// When the range begins.
    public let begin: Timestamp
    /// How long a minute is: 60 s, or more where the range is long.
    public let step: Nanoseconds
    /// The minutes of the range; nil: nothing is known of it.
    public let minutes: [HistoryPoint?]

    /// The course of a series whose points are `step` long; those outside of the range are left out.
    public init(_ points: [HistoryLine.Point], from begin: Timestamp, to end: Timestamp, step: Nanoseconds) {
        self.begin = begin
        self.step = step
        let length = max(1, step.value)
        let span = end.nanoseconds.subtractingReportingOverflow(begin.nanoseconds)
        let count = span.overflow ? 0 : max(0, min(span.partialValue / length, HistoryPlan.pointBound))
        var minutes: [HistoryPoint?] = Array(repeating: nil, count: Int(count))
        for point in points {
            let place = (point.time.nanoseconds &- begin.nanoseconds) / length
            guard point.time >= begin, place < count else { continue }
            minutes[Int(place)] = minutes[Int(place)]?.merging(point.value) ?? point.value
        }
        self.minutes = minutes
    }

    /// When a minute begins.
    func start(of minute: Int) -> Timestamp { begin.advanced(by: step * Int64(minute)) }

    /// When the last minute that is known ends; nil: none is.
    public var lastKnown: Timestamp? { minutes.lastIndex { $0 != nil }.map { start(of: $0 + 1) } }

    /// When the first minute that is known begins; nil: none is.
    public var firstKnown: Timestamp? { minutes.firstIndex { $0 != nil }.map(start) }
}

public import SondeDomain
public import SondeFormats

/// The points of one series over a range.
public struct DashboardChart: Hashable, Sendable {
    /// At most so many points are held; the oldest are released.
    public static let pointBound = Int(HistoryPlan.pointBound)

    /// What it is of.
    public private(set) var subject: DashboardSubject
    /// Oldest first, no two closer than a thousandth of the range but as history has them.
    public private(set) var points: [HistoryState.Point]
    /// How long a point holds.
    public private(set) var step: Nanoseconds
    /// Where it ends: the newest instant that something is known of.
    public private(set) var end: Timestamp?
    /// Of the whole range, as history has it.
    public private(set) var values: SnapshotView.Values

    /// A chart without points.
    init(_ subject: DashboardSubject) {
        self.subject = subject
        points = []
        step = subject.range.step
        end = nil
        values = SnapshotView.Values()
    }

    /// The chart of a series of history; nil: it was not kept.
    init(_ subject: DashboardSubject, _ series: HistoryState.Series?, end: Timestamp?) {
        self.init(subject)
        self.end = end
        guard let series else { return }
        points = series.points.suffix(Self.pointBound)
        if let seconds = series.step, seconds > 0, seconds < 1e7 { step = Nanoseconds(Int64(seconds * 1e9)) }
        values.current = series.summary?["last"]?.asDouble
        values.average = series.summary?["average"]?.asDouble
        values.peak = series.summary?["peak"]?.asDouble ?? series.summary?["maximum"]?.asDouble
    }

    /// Where it begins.
    public var begin: Timestamp? { end.map { HistoryRange(subject.range.window, before: $0).from } }

    /// The same with the points that came while it was asked for.
    func continued(by newer: DashboardChart?) -> DashboardChart {
        guard let newer else { return self }
        var chart = self
        let last = points.last.map { $0.time.advanced(by: step) } ?? Timestamp(nanoseconds: .min)
        for point in newer.points where point.time > last { chart.add(point) }
        if let end = newer.end { chart.end = max(end, chart.end ?? end) }
        return chart
    }

    private mutating func add(_ point: HistoryState.Point) {
        points.append(point)
        if points.count > Self.pointBound { points.removeFirst(points.count - Self.pointBound) }
    }

    /// Adds what has just been read.
    mutating func append(_ value: Double?, at time: Timestamp) {
        guard end.map({ $0 < time }) ?? true else { return }
        end = time
        points.removeAll { $0.time < HistoryRange(subject.range.window, before: time).from }
        guard let value, value.isFinite else { return }
        values.current = value
        let distance = Nanoseconds(subject.range.window.value / Int64(Self.pointBound))
        if let last = points.last?.time, HistoryRange(distance, before: time).from < last { return }
        add(HistoryState.Point(time: time, average: value))
    }
}

/// The course of every member of a metric over a range, in few steps.
public struct DashboardCourses: Hashable, Sendable {
    /// How many steps a course has.
    public static let stepCount = 24
    private static let mostMembers = DashboardChart.pointBound / stepCount

    /// What it is of; without a member.
    public private(set) var subject: DashboardSubject
    /// By member: the mean of each step, oldest first; nil where nothing is known.
    public private(set) var members: [String: [Double?]] = [:]

    init(_ subject: DashboardSubject) {
        self.subject = subject
    }

    /// How long a step is.
    var step: Nanoseconds { Nanoseconds(subject.range.window.value / Int64(Self.stepCount)) }

    /// Whether no further member has room.
    var isFull: Bool { members.count >= Self.mostMembers }

    mutating func add(_ page: HistoryState) {
        guard let end = page.to else { return }
        let begin = HistoryRange(subject.range.window, before: end).from
        for series in page.series where !isFull {
            guard let member = series.member, members[member] == nil else { continue }
            members[member] = steps(of: series, from: begin)
        }
    }

    private func steps(of series: HistoryState.Series, from begin: Timestamp) -> [Double?] {
        var steps = [Double?](repeating: nil, count: Self.stepCount)
        // A point may hold for longer than a step: the agent has steps of its own.
        let seconds = series.step.flatMap { $0 > 0 && $0 < 1e7 ? $0 : nil } ?? 0
        let length = max(step.value, Int64(seconds * 1e9))
        for point in series.points {
            let (distance, overflow) = point.time.nanoseconds.subtractingReportingOverflow(begin.nanoseconds)
            let (end, isFar) = distance.addingReportingOverflow(length - 1)
            guard !overflow, !isFar, end >= 0 else { continue }
            // The first point may begin before the range, and hold in it.
            let first = max(0, distance) / max(1, step.value)
            let last = max(first, min(end / max(1, step.value), Int64(Self.stepCount) - 1))
            for place in first...last where place < Self.stepCount { steps[Int(place)] = point.average }
        }
        return steps
    }
}

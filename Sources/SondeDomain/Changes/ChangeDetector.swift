/// Finds what is unusual in the course of a series.
///
/// Stretches as long as a step of the baseline are compared with its averages, which finds what lasts; single minutes are
/// compared with its extremes, which finds what is short and large. The change is the run of unusual minutes around what is
/// most unusual.
public struct ChangeDetector: Sendable {
    /// A run may be interrupted for so many minutes.
    private static let longestPause = 2

    private let series: HistorySeries
    private let course: ChangeCourse
    private let baseline: ChangeBaseline
    private let scale: ChangeScale

    /// A detector for `series`.
    public init(of series: HistorySeries, _ course: ChangeCourse, against baseline: ChangeBaseline) {
        self.series = series
        self.course = course
        self.baseline = baseline
        scale = ChangeScale(series.metric)
    }

    /// Whether it is known what is usual at the end of the range.
    public var knowsUsual: Bool { baseline.band(at: end) != nil }

    /// What is most unusual within the range; nil: nothing is.
    public func change() -> HistoryChange? {
        let bands = baseline.bands(at: course.minutes.indices.map(middle))
        let peak = unusualStretch(bands) ?? unusualMinute(bands)
        return peak.flatMap { change(around: $0, bands) }
    }

    /// The series as one that has ended, where it was usually there; nil: it was usually near zero.
    public func vanishing() -> HistoryChange? {
        // Events that do not happen leave no point.
        guard series.metric.shape == .value, let band = baseline.band(at: end) else { return nil }
        guard isFarFromZero(band.level.lowerBound) else { return nil }
        let first = course.minutes.lastIndex { $0 != nil }.map { $0 + 1 } ?? 0
        return HistoryChange(
            series, .vanished, basis: baseline.basis, usual: usual(band), value: nil, begin: course.start(of: first),
            mayBeEarlier: first == 0, end: nil,
            score: weighed(
                ChangeScale.spreads(in: scale.ratio(of: band.median, to: 0), of: band.spread),
                first..<course.minutes.count))
    }

    /// The series as one that is new; nil: it is near zero.
    public func appearance() -> HistoryChange? {
        let values = course.minutes.map { $0.flatMap(series.metric.compared) }
        guard let first = values.firstIndex(where: { $0 != nil }) else { return nil }
        let value = ChangeBaseline.median(values.compactMap(\.self))
        guard isFarFromZero(value) else { return nil }
        let spreads = ChangeScale.spreads(in: scale.ratio(of: value, to: 0), of: ChangeBaseline.leastSpread)
        return HistoryChange(
            series, .appeared, basis: baseline.basis, usual: nil, value: value, begin: course.start(of: first),
            mayBeEarlier: false, end: nil, score: weighed(spreads, first..<course.minutes.count))
    }

    private struct Peak {
        var minute: Int
        var value: Double
        /// How many spreads it is off; negative: below.
        var spreads: Double
    }

    private func isFarFromZero(_ value: Double) -> Bool {
        let spreads = ChangeScale.spreads(in: scale.ratio(of: value, to: 0), of: ChangeBaseline.leastSpread)
        return spreads > ChangeBaseline.spreadsWithinUsual
    }

    private var end: Timestamp { course.start(of: course.minutes.count) }

    private func middle(of minute: Int) -> Timestamp {
        course.start(of: minute).advanced(by: Nanoseconds(course.step.value / 2))
    }

    /// The stretch that is most unusual on the whole, by the minute of it that is furthest off.
    private func unusualStretch(_ bands: [ChangeBaseline.Band?]) -> Peak? {
        let length = max(1, Int(baseline.step.value / max(1, course.step.value)))
        var found: Peak?
        for last in course.minutes.indices {
            let stretch = max(0, last - length + 1)...last
            guard let band = bands[(stretch.lowerBound + last) / 2], let usual = usual(band, stretch, length: length),
                let value = value(of: stretch, length: length), !usual.contains(value),
                scale.isApart(value, from: band.median)
            else { continue }
            let spreads = ChangeScale.spreads(in: scale.ratio(of: value, to: band.median), of: band.spread)
            guard abs(spreads) > abs(found?.spreads ?? 0) else { continue }
            found = Peak(minute: furthest(in: stretch, isAbove: spreads > 0) ?? last, value: value, spreads: spreads)
        }
        return found
    }

    /// What is usual of a stretch; nil: only those that are whole steps of the day are looked at, and the last one.
    private func usual(
        _ band: ChangeBaseline.Band, _ stretch: ClosedRange<Int>, length: Int
    ) -> ClosedRange<Double>? {
        guard baseline.basis == .daysBefore else { return band.level }
        let end = course.start(of: stretch.upperBound + 1).nanoseconds
        if stretch.count == length, end % max(1, baseline.step.value) == 0 { return band.level }
        return stretch.upperBound == course.minutes.count - 1 ? band.shifted : nil
    }

    /// What a stretch has on the whole; nil: less than half of it is known.
    private func value(of stretch: ClosedRange<Int>, length: Int) -> Double? {
        let known = stretch.compactMap { course.minutes[$0] }
        guard let first = known.first, 2 * known.count >= min(length, course.minutes.count) else { return nil }
        return series.metric.compared(known.dropFirst().reduce(first) { $0.merging($1) })
    }

    private func unusualMinute(_ bands: [ChangeBaseline.Band?]) -> Peak? {
        var found: Peak?
        for minute in course.minutes.indices {
            guard let value = course.minutes[minute].flatMap(series.metric.compared), let band = bands[minute],
                !band.minute.contains(value), scale.isApart(value, from: band.median)
            else { continue }
            let spreads = ChangeScale.spreads(in: scale.ratio(of: value, to: band.median), of: band.spread)
            guard abs(spreads) > abs(found?.spreads ?? 0) else { continue }
            found = Peak(minute: minute, value: value, spreads: spreads)
        }
        return found
    }

    private func furthest(in stretch: ClosedRange<Int>, isAbove: Bool) -> Int? {
        let values = stretch.compactMap { minute in
            course.minutes[minute].flatMap(series.metric.compared).map { (minute: minute, value: $0) }
        }
        return isAbove ? values.max { $0.value < $1.value }?.minute : values.min { $0.value < $1.value }?.minute
    }

    private func change(around peak: Peak, _ bands: [ChangeBaseline.Band?]) -> HistoryChange? {
        let run = run(around: peak, bands)
        let values = run.compactMap { course.minutes[$0].flatMap(series.metric.compared) }
        guard let band = bands[peak.minute], !values.isEmpty else { return nil }
        let value = ChangeBaseline.median(values)
        let spreads = ChangeScale.spreads(in: scale.ratio(of: value, to: band.median), of: band.spread)
        let lastKnown = course.minutes.lastIndex { $0 != nil } ?? run.upperBound
        return HistoryChange(
            series, peak.spreads > 0 ? .higher : .lower, basis: baseline.basis, usual: usual(band), value: value,
            begin: course.start(of: run.lowerBound), mayBeEarlier: run.lowerBound <= Self.longestPause,
            end: lastKnown - run.upperBound <= Self.longestPause ? nil : course.start(of: run.upperBound + 1),
            score: weighed(spreads, run.lowerBound..<run.upperBound + 1))
    }

    /// The minutes around the peak that are beyond half of the change, or beyond what is usual where that is less.
    private func run(around peak: Peak, _ bands: [ChangeBaseline.Band?]) -> ClosedRange<Int> {
        func isUnusual(_ minute: Int) -> Bool {
            guard let value = course.minutes[minute].flatMap(series.metric.compared), let band = bands[minute] else {
                return false
            }
            let half = scale.ratio(of: peak.value, to: band.median).squareRoot()
            let ratio = scale.ratio(of: value, to: band.median)
            return peak.spreads > 0
                ? ratio >= min(half, scale.ratio(of: band.level.upperBound, to: band.median))
                : ratio <= max(half, scale.ratio(of: band.level.lowerBound, to: band.median))
        }
        func edge(_ minutes: some Sequence<Int>) -> Int {
            var (edge, pause) = (peak.minute, 0)
            for minute in minutes {
                pause = isUnusual(minute) ? 0 : pause + 1
                guard pause <= Self.longestPause else { break }
                if pause == 0 { edge = minute }
            }
            return edge
        }
        let before = edge(stride(from: peak.minute - 1, through: 0, by: -1))
        return before...edge(stride(from: peak.minute + 1, to: course.minutes.count, by: 1))
    }

    /// What lasts is worse than what is over: by the root, so that a short change that is large is not lost.
    private func weighed(_ spreads: Double, _ run: Range<Int>) -> Double {
        let share = Double(max(1, run.count)) / Double(max(1, course.minutes.count))
        return abs(spreads) * share.squareRoot()
    }

    private func usual(_ band: ChangeBaseline.Band) -> HistoryChange.Usual {
        HistoryChange.Usual(median: band.median, low: band.level.lowerBound, high: band.level.upperBound)
    }
}

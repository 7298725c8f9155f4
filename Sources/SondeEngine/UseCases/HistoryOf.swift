public import SondeDomain

/// Reads the values of series over a range of time, one page of series at a time.
public struct HistoryOf: Sendable {
    /// A page of the series that match.
    public struct Page: Hashable, Sendable {
        /// The series that have points in the range, in order.
        public var lines: [HistoryLine]
        /// The last series that was examined, if more follow.
        public var next: HistorySeries?
    }

    private let record: RecordHistory

    /// A use case for what `record` keeps.
    public init(_ record: RecordHistory) {
        self.record = record
    }

    /// Up to `limit` series after `after`; one without a point in the range is left out.
    public func callAsFunction(
        _ query: HistoryQuery,
        after: HistorySeries? = nil,
        limit: Int
    ) throws(SondeError) -> Page {
        guard let plan = query.plan else { return Page(lines: [], next: nil) }
        return try record.read { (reading) throws(SondeError) in
            let wanted = reading.series.filter { series in
                query.wants(series) && (after.map { $0 < series } ?? true)
            }
            let page = wanted.prefix(max(1, limit))
            var lines: [HistoryLine] = []
            for series in page {
                let line = try reading.line(of: series, plan)
                if !line.points.isEmpty { lines.append(line) }
            }
            return Page(lines: lines, next: page.count < wanted.count ? page.last : nil)
        }
    }
}

extension HistoryReading {
    /// The points of a series as a plan has them.
    func line(of series: HistorySeries, _ plan: HistoryPlan) throws(SondeError) -> HistoryLine {
        let steps = try steps(of: series, in: plan.tier, plan.steps).grouped(by: plan.group)
        let points = steps.steps.map { step in
            HistoryLine.Point(plan.tier.start(of: step.index &* plan.group), step.point)
        }
        return HistoryLine(series, step: plan.step, points)
    }
}

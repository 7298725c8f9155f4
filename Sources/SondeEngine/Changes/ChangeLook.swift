internal import SondeDomain

/// Which parts of history are looked at to say what has moved within a range.
struct ChangeLook {
    /// What is known of one series.
    struct Evidence {
        /// Its course within the range.
        var course: ChangeCourse
        /// What it is compared with; nil: too little is kept to say what is usual.
        var detector: ChangeDetector?
        /// The days, counted back, of which something is kept.
        var days: Set<Int64>
    }

    /// The tier that has the days before: steps of 12 minutes, for a week.
    private static let daysTier = HistoryTier.week
    private static let day = Nanoseconds.seconds(86_400)
    /// Where there are no days before, the time before the range, so many times as long.
    private static let timeBefore: Int64 = 5
    private static let minute = Nanoseconds.seconds(60)
    private static let timeBeforeStep = Nanoseconds.seconds(120)

    let range: HistoryRange
    let reference: HistoryChanges.Reference
    /// How the range itself is read.
    let plan: HistoryPlan

    /// How to look at `range`; nil: it is before 1970.
    init?(_ range: HistoryRange, _ reference: HistoryChanges.Reference) {
        guard let plan = HistoryPlan(range, resolution: Self.minute, at: range.to) else { return nil }
        self.range = range
        self.reference = reference
        self.plan = plan
    }

    /// What is known of a series.
    func evidence(of series: HistorySeries, in reading: HistoryReading) throws(SondeError) -> Evidence {
        let course = ChangeCourse(
            try reading.line(of: series, plan).points, from: range.from, to: range.to, step: plan.step)
        let (stretches, days) = try daysBefore(series, reading)
        let daily = ChangeDetector(
            of: series, course,
            against: ChangeBaseline(of: series.metric, stretches, in: Self.daysTier, alignment: .timeOfDay))
        if daily.knowsUsual { return Evidence(course: course, detector: daily, days: days) }
        guard let baseline = try timeBefore(series, reading) else {
            return Evidence(course: course, detector: nil, days: days)
        }
        let recent = ChangeDetector(of: series, course, against: baseline)
        return Evidence(course: course, detector: recent.knowsUsual ? recent : nil, days: days)
    }

    /// The steps of the days before, with the numbers of those of the range.
    private func daysBefore(
        _ series: HistorySeries,
        _ reading: HistoryReading
    ) throws(SondeError) -> (stretches: [HistorySteps], days: Set<Int64>) {
        let tier = Self.daysTier
        let first = tier.index(from: range.from) &- ChangeBaseline.neighbours
        let last = tier.index(from: range.to) &+ ChangeBaseline.neighbours
        let own = tier.index(from: range.from)..<max(tier.index(from: range.from), tier.index(from: range.to))
        let perDay = Self.day.value / tier.step.value
        var stretches: [HistorySteps] = []
        var days: Set<Int64> = []
        for day in 1...reference.days {
            let shift = day &* perDay
            // What belongs to the range itself is not its own past.
            let end = min(last &- shift, tier.index(from: range.from) &- 1)
            guard first &- shift >= 0, first &- shift <= end else { continue }
            let steps = try reading.steps(of: series, in: tier, first &- shift..<end &+ 1).steps
            guard !steps.isEmpty else { continue }
            if steps.contains(where: { own.contains($0.index &+ shift) }) { days.insert(day) }
            stretches.append(HistorySteps(ascending: steps.map { HistoryStep($0.index &+ shift, $0.point) }))
        }
        return (stretches, days)
    }

    private func timeBefore(
        _ series: HistorySeries,
        _ reading: HistoryReading
    ) throws(SondeError) -> ChangeBaseline? {
        let length = Nanoseconds(range.to.nanoseconds &- range.from.nanoseconds) * Self.timeBefore
        guard
            let plan = HistoryPlan(
                HistoryRange(length, before: range.from), resolution: Self.timeBeforeStep, at: range.to)
        else { return nil }
        let own = plan.tier.index(from: range.from)
        let steps = try reading.steps(of: series, in: plan.tier, plan.steps).steps.filter { $0.index < own }
        return ChangeBaseline(
            of: series.metric, [HistorySteps(ascending: steps)], in: plan.tier, alignment: .none)
    }
}

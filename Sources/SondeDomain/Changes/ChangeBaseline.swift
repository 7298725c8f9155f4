/// What is usual for a series, by earlier stretches of time.
public struct ChangeBaseline: Sendable {
    /// How earlier stretches relate to the range.
    public enum Alignment: Hashable, Sendable {
        /// Each is the same time of another day: what is usual depends on the time of day.
        case timeOfDay
        /// They are the time before the range: what is usual is the same for all of it.
        case none
    }

    /// What is usual at one time.
    struct Band: Equatable {
        /// The median.
        var median: Double
        /// The factor by which half of all values differ from the median, at least ``ChangeBaseline/leastSpread``.
        var spread: Double
        /// What averages over whole steps of the baseline are usual.
        var level: ClosedRange<Double>
        /// What averages as long as a step are usual that begin within one: what happens at the same minute of each day may be
        /// in two steps there.
        var shifted: ClosedRange<Double>
        /// What single minutes are usual.
        var minute: ClosedRange<Double>
    }

    /// Below 3.4 % of the value nothing is called a spread, or a constant series would always have moved.
    static let leastSpread = 1.034
    /// Six times the median deviation: four standard deviations of a normal distribution.
    static let spreadsWithinUsual = 6.0
    /// From so many days on the most unusual one does not count: one bad day is not usual, but a weekend is.
    private static let daysForTrimming = 4
    /// How many steps before and after the time are looked at, too: an hour each where steps are 12 minutes.
    public static let neighbours: Int64 = 5
    /// A single day shows less of what is usual: of fewer values than ``valuesOfDays`` the bounds are wider.
    private static let spreadsWithinUsualOfFew = 9.0
    private static let valuesOfDays = 20
    /// Fewer values say nothing of what is usual.
    private static let fewestValues = 3

    private let metric: HistoryMetric
    private let scale: ChangeScale
    private let tier: HistoryTier
    private let alignment: Alignment
    private let stretches: [HistorySteps]

    /// What is usual by `stretches`, whose steps of `tier` have the numbers of the steps of the range that they are compared
    /// with.
    public init(
        of metric: HistoryMetric,
        _ stretches: [HistorySteps],
        in tier: HistoryTier,
        alignment: Alignment
    ) {
        self.metric = metric
        self.tier = tier
        self.alignment = alignment
        self.stretches = stretches.filter { $0.count > 0 }
        scale = ChangeScale(metric)
    }

    /// How long the steps are.
    public var step: Nanoseconds { tier.step }
    /// What it is compared by.
    public var basis: HistoryChange.Basis { alignment == .timeOfDay ? .daysBefore : .timeBefore }

    /// What is usual at each of some instants that ascend: the same for all of a step, so it is found once for each.
    func bands(at times: [Timestamp]) -> [Band?] {
        var last: (step: Int64?, band: Band?)?
        return times.map { time in
            let step = step(at: time)
            if let last, last.step == step { return last.band }
            let band = band(near: step)
            last = (step, band)
            return band
        }
    }

    /// What is usual at an instant; nil: too little is known.
    func band(at time: Timestamp) -> Band? {
        band(near: step(at: time))
    }

    /// The step whose surroundings say what is usual at an instant; nil: all steps do, at every instant.
    private func step(at time: Timestamp) -> Int64? {
        switch alignment {
        case .none: nil
        case .timeOfDay: tier.index(from: time)
        }
    }

    private func band(near step: Int64?) -> Band? {
        let parts = stretches.map { surroundings(of: step, in: $0) }.filter { !$0.isEmpty }
        let values = parts.flatMap { $0.compactMap { metric.compared($0.point) } }
        guard values.count >= Self.fewestValues else { return nil }
        let median = Self.median(values)
        let spread = max(Self.leastSpread, Self.median(values.map { deviation(of: $0, from: median) }))
        var reach = spread
        let isFew = values.count < Self.valuesOfDays
        let within = isFew ? Self.spreadsWithinUsualOfFew : Self.spreadsWithinUsual
        for _ in 1..<Int(within) { reach *= spread }
        let tops = parts.compactMap { $0.compactMap { metric.compared($0.point) }.max() }
        let bottoms = parts.compactMap { $0.compactMap { metric.compared($0.point) }.min() }
        // Beyond what the days have had; those of one day may be a little more or less on the next.
        let margin = isFew ? spread * spread * spread : spread
        let (lowest, highest) = (Self.bottom(bottoms, trims), Self.top(tops, trims))
        let low = min(scale.value(median, times: 1 / reach), scale.value(lowest, times: 1 / margin))
        let high = max(scale.value(median, times: reach), scale.value(highest, times: margin))
        let minute = minutes(parts, margin: margin, within: low...high)
        let sums = parts.compactMap { sum(of: $0) }
        let highestSum = min(minute.upperBound, scale.value(Self.top(sums, trims), times: margin))
        let isAligned = alignment == .timeOfDay && metric.shape == .value
        return Band(
            median: median, spread: spread, level: low...high,
            shifted: isAligned ? minute.lowerBound...max(high, highestSum) : low...high, minute: minute)
    }

    /// The most that two steps next to each other have together.
    private func sum(of part: ArraySlice<HistoryStep>) -> Double? {
        let pairs = zip(part, part.dropFirst()).filter { $0.index &+ 1 == $1.index }
        return pairs.map { max(0, $0.point.average) + max(0, $1.point.average) }.filter(\.isFinite).max()
    }

    /// Readings within the steps go beyond their averages; a minute has to go beyond all readings.
    private func minutes(
        _ parts: [ArraySlice<HistoryStep>],
        margin: Double,
        within level: ClosedRange<Double>
    ) -> ClosedRange<Double> {
        // The extremes of a distribution are those of means, which a single slow answer moves.
        guard metric.shape == .value else { return 0...Double.greatestFiniteMagnitude }
        let peaks = parts.compactMap { $0.map(\.point.maximum).filter(\.isFinite).max() }
        let troughs = parts.compactMap { $0.map(\.point.minimum).filter(\.isFinite).min() }
        let lowest = min(level.lowerBound, scale.value(Self.bottom(troughs, trims), times: 1 / margin))
        let highest = max(level.upperBound, scale.value(Self.top(peaks, trims), times: margin))
        return lowest...highest
    }

    private var trims: Bool { alignment == .timeOfDay && stretches.count >= Self.daysForTrimming }

    private func surroundings(of step: Int64?, in stretch: HistorySteps) -> ArraySlice<HistoryStep> {
        guard let step else { return stretch.steps[...] }
        return stretch[step &- Self.neighbours..<step &+ Self.neighbours &+ 1]
    }

    private func deviation(of value: Double, from median: Double) -> Double {
        let ratio = scale.ratio(of: value, to: median)
        return ratio < 1 ? 1 / ratio : ratio
    }

    private static func top(_ values: [Double], _ trims: Bool) -> Double {
        let sorted = values.sorted(by: >)
        return (trims && sorted.count >= daysForTrimming ? sorted.dropFirst().first : sorted.first) ?? 0
    }

    private static func bottom(_ values: [Double], _ trims: Bool) -> Double {
        let sorted = values.sorted()
        return (trims && sorted.count >= daysForTrimming ? sorted.dropFirst().first : sorted.first) ?? 0
    }

    /// The median of values, of which there is at least one.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        guard let upper = sorted.dropFirst(middle).first else { return 0 }
        guard sorted.count % 2 == 0, let lower = sorted.dropFirst(middle - 1).first else { return upper }
        return lower + (upper - lower) / 2
    }
}

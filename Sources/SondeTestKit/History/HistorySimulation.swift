public import SondeDomain
public import SondeEngine

/// Thirty days of readings on a virtual clock, and what every range has to answer by an independent computation.
public final class HistorySimulation {
    /// One reading as it was made.
    private struct Reading {
        var end: Int64
        var span: Int64
        var value: Double
        var peak: Double
    }

    /// Something that an answer got wrong.
    public struct Mistake: Error, CustomStringConvertible {
        /// What was seen.
        public let description: String
    }

    /// The series that is read.
    public static let series = HistorySeries(.bandwidthReceive, source: "kernel")
    private static let interval: Int64 = 20

    /// The clock that the store's owner has to use.
    public let clock = ManualClock(wall: Timestamp(seconds: 1_767_225_607))
    private let store: any HistoryStore
    private(set) var record: RecordHistory
    private var readings: [Reading] = []
    private var random: SeededGenerator

    /// A simulation into an empty store.
    public init(_ store: any HistoryStore, seed: UInt64) {
        self.store = store
        random = SeededGenerator(seed: seed)
        record = RecordHistory(store: store, clock: clock, log: RecordingLog())
    }

    /// Lives through 30 days: a restart every other day, a day without an agent, a clock that is set forward.
    public func run() {
        var isFirst = true
        for slot in 0..<(30 * 24 * 6) {
            if slot % 288 == 200 {
                restart()
                isFirst = true
            }
            if slot == 1_500 {
                clock.advance(by: .seconds(86_400))
                isFirst = true
            }
            if slot == 3_001 { clock.stepWall(by: .seconds(1_234)) }
            for _ in 0..<30 {
                read(after: .seconds(Self.interval), isFirst: isFirst)
                isFirst = false
            }
            _ = record.commit()
        }
        // The last readings wait: they are part of every answer all the same.
        for _ in 0..<7 { read(after: .seconds(Self.interval), isFirst: false) }
    }

    /// Asks for every window, or for some, and checks each point; how many points each answer had.
    public func check(_ tiers: some Sequence<HistoryTier> = HistoryTier.allCases) throws -> [HistoryTier: Int] {
        var counts: [HistoryTier: Int] = [:]
        for tier in tiers {
            let query = HistoryQuery(range: HistoryRange(tier.window, before: clock.wallTime), asked: clock.wallTime)
            let lines = try HistoryOf(record)(query, limit: 10).lines
            guard let line = lines.first, lines.count == 1, line.series == Self.series else {
                throw Mistake(description: "\(tier.name) has \(lines.count) series")
            }
            guard line.points.count <= HistoryPlan.pointBound else {
                throw Mistake(description: "\(tier.name) has \(line.points.count) points")
            }
            try check(line, tier, query.range)
            counts[tier] = line.points.count
        }
        return counts
    }

    /// Another agent goes on with the same store; what waited to be written is written first, as at every stop.
    func restart() {
        _ = record.commit()
        record = RecordHistory(store: store, clock: clock, log: RecordingLog())
    }

    /// A reading of what held since the reading before.
    func read(after span: Nanoseconds, isFirst: Bool) {
        clock.advance(by: span)
        let value = Double(Int.random(in: 0...1_000_000, using: &random))
        let peak = value + Double(Int.random(in: 0...1_000, using: &random))
        let held = isFirst ? Nanoseconds.zero : span
        let observation = HistoryObservation(.held(value, peak: peak), at: clock.wallTime, held: held)
        record.take([.init(series: Self.series, rank: .standard, observation: observation)])
        readings.append(
            Reading(
                end: clock.wallTime.nanoseconds, span: isFirst ? 1_000 : held.value, value: value, peak: peak))
    }

    private func check(_ line: HistoryLine, _ tier: HistoryTier, _ range: HistoryRange) throws {
        let step = line.step.value
        var expected: [Int64: (weighted: Double, weight: Double, peak: Double)] = [:]
        for reading in readings where reading.end > range.from.nanoseconds - step {
            let begin = reading.end - reading.span
            for index in (begin / step)...((reading.end - 1) / step) {
                let overlap = Double(min(reading.end, (index + 1) * step) - max(begin, index * step))
                var sum = expected[index] ?? (0, 0, 0)
                sum.weighted += reading.value * overlap
                sum.weight += overlap
                sum.peak = max(sum.peak, reading.peak)
                expected[index] = sum
            }
        }
        let first = range.from.nanoseconds / step
        // What a clock that was ahead has left is in the future.
        let last = (range.to.nanoseconds - 1) / step
        let wanted = expected.filter { (first...last).contains($0.key) }
        guard wanted.count == line.points.count else {
            throw Mistake(description: "\(tier.name) has \(line.points.count) points and not \(wanted.count)")
        }
        for point in line.points {
            guard let sum = wanted[point.time.nanoseconds / step] else {
                throw Mistake(description: "\(tier.name) has a point where nothing was read")
            }
            let average = sum.weighted / sum.weight
            guard abs(point.value.average - average) <= 1e-6 * max(1, average), point.value.peak == sum.peak else {
                throw Mistake(
                    description: "\(tier.name): \(point.value.average) and peak \(point.value.peak ?? -1), "
                        + "not \(average) and \(sum.peak)")
            }
        }
    }
}

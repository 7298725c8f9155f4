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
            counts[tier] = try check(HistoryRange(tier.window, before: clock.wallTime), nil, tier.name)
        }
        return counts
    }

    /// Asks for as many ranges of any length within the last four weeks, with a resolution or without, and checks each point.
    public func check(randomRanges count: Int) throws {
        let now = clock.wallTime.nanoseconds / 1_000_000_000
        for _ in 0..<count {
            let back = Int64.random(in: 60...(28 * 86_400), using: &random)
            let length = Int64.random(in: 30...back, using: &random)
            let resolution = Bool.random(using: &random) ? Int64.random(in: 1...86_400, using: &random) : nil
            let range = HistoryRange(from: Timestamp(seconds: now - back), to: Timestamp(seconds: now - back + length))
            let name = "\(length) s, \(back) s ago, by \(resolution ?? 0) s"
            _ = try check(range, resolution.map(Nanoseconds.seconds), name)
        }
    }

    /// How many points the answer has.
    private func check(_ range: HistoryRange, _ resolution: Nanoseconds?, _ name: String) throws -> Int {
        let query = HistoryQuery(range: range, resolution: resolution, asked: clock.wallTime)
        let lines = try HistoryOf(record)(query, limit: 10).lines
        guard let line = lines.first else {
            // An hour without an agent has no series.
            guard expected(range, step: HistoryTier.hour.step.value).isEmpty else {
                throw Mistake(description: "\(name): nothing is there")
            }
            return 0
        }
        guard lines.count == 1, line.series == Self.series else {
            throw Mistake(description: "\(name) has \(lines.count) series")
        }
        guard line.points.count <= HistoryPlan.pointBound else {
            throw Mistake(description: "\(name) has \(line.points.count) points")
        }
        guard line.step >= resolution ?? .zero else {
            throw Mistake(description: "\(name) has points of \(line.step.seconds) s")
        }
        try check(line, range, name)
        return line.points.count
    }

    /// Another agent continues with the same store; what waited to be written is written first, as at every stop.
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

    private typealias Sum = (weighted: Double, weight: Double, peak: Double)

    /// The merger of the steps of a range, made only of the readings.
    private func expected(_ range: HistoryRange, step: Int64) -> [Int64: Sum] {
        var sums: [Int64: Sum] = [:]
        // What a clock that was ahead has left is in the future.
        let wanted = range.from.nanoseconds / step...(range.to.nanoseconds - 1) / step
        for reading in readings where reading.end > range.from.nanoseconds - step {
            let begin = reading.end - reading.span
            for index in (begin / step)...((reading.end - 1) / step) where wanted.contains(index) {
                let overlap = Double(min(reading.end, (index + 1) * step) - max(begin, index * step))
                var sum = sums[index] ?? (0, 0, 0)
                sum.weighted += reading.value * overlap
                sum.weight += overlap
                sum.peak = max(sum.peak, reading.peak)
                sums[index] = sum
            }
        }
        return sums
    }

    private func check(_ line: HistoryLine, _ range: HistoryRange, _ name: String) throws {
        let step = line.step.value
        let wanted = expected(range, step: step)
        guard wanted.count == line.points.count else {
            throw Mistake(description: "\(name) has \(line.points.count) points and not \(wanted.count)")
        }
        for point in line.points {
            guard let sum = wanted[point.time.nanoseconds / step] else {
                throw Mistake(description: "\(name) has a point where nothing was read")
            }
            let average = sum.weighted / sum.weight
            guard abs(point.value.average - average) <= 1e-6 * max(1, average), point.value.peak == sum.peak else {
                throw Mistake(
                    description: "\(name): \(point.value.average) and peak \(point.value.peak ?? -1), "
                        + "not \(average) and \(sum.peak)")
            }
        }
    }
}

import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

/// How often something is named on a day on which nothing happened but what happens on every day.
///
/// The days are generated: load by time of day and by weekday, noise with a long tail that lasts for minutes, jobs at the same
/// minute each night, transfers of a few minutes at random times.
@Suite struct QuietDayTests {
    private struct Shape {
        var metric: HistoryMetric
        var member: String?
        var level: Double
        /// By how much busy hours are above the others.
        var swing: Double
        /// The deviation of the logarithm of a minute.
        var noise: Double
        /// Transfers in a day, and how much they add.
        var transfers: (count: Double, level: Double)
        var job: Double
    }

    private static let shapes: [Shape] = {
        var shapes: [Shape] = []
        for direction in [HistoryMetric.bandwidthReceive, .bandwidthTransmit] {
            for (member, level) in [(nil, 2e6), ("eth0", 2e6), ("eth1", 50e3), ("lo", 400e3), ("veth0", 3e3)] {
                shapes.append(
                    Shape(
                        metric: direction, member: member, level: level, swing: 5, noise: 0.4,
                        transfers: (3, level * 10), job: level * 20))
            }
        }
        for (state, level) in [
            ("established", 240), ("time_wait", 90), ("listen", 30), ("close_wait", 1), ("syn_sent", 0.3),
            ("orphaned", 0),
            ("connected", 250), ("in_use", 300),
        ] as [(String, Double)] {
            shapes.append(
                Shape(
                    metric: .connectionsTCP, member: state, level: level, swing: state == "listen" ? 1 : 2, noise: 0.15,
                    transfers: (state == "listen" ? 0 : 2, level / 3), job: 0))
        }
        for (metric, level) in [
            (.dnsQueries, 12), (.dnsResponses, 12), (.dnsFailures, 0.05), (.dnsUnanswered, 0.02), (.agentSamples, 48),
            (.agentProcessor, 0.002), (.agentMemory, 9e6), (.agentWaiting, 20), (.agentLosses, 0),
        ] as [(HistoryMetric, Double)] {
            let isAgent = metric.rawValue.hasPrefix("agent.")
            shapes.append(
                Shape(
                    metric: metric, member: nil, level: level, swing: isAgent ? 1 : 3, noise: isAgent ? 0.03 : 0.3,
                    transfers: (isAgent ? 0 : 2, level * 4), job: 0))
        }
        return shapes
    }()

    private static func normal(_ minute: Int64, _ seed: UInt64) -> Double {
        let first = max(1e-12, GivenHistory.chance(minute, seed))
        return (-2 * log(first)).squareRoot() * cos(2 * .pi * GivenHistory.chance(minute, seed &+ 1_000_003))
    }

    private static func rule(_ shape: Shape, _ seed: UInt64, shift: Int64) -> GivenHistory.Rule {
        { index in
            let minute = index + shift
            let (day, time) = (minute / 1_440, Double(minute % 1_440) / 1_440)
            let isWeekend = day % 7 >= 5
            let busy = max(0, sin((time - 0.3) * 2 * .pi)) * (shape.swing - 1) * (isWeekend ? 0.3 : 1)
            // Noise of one minute, and of a quarter of an hour.
            let noise = 0.7 * normal(minute, seed) + 0.7 * normal(minute / 15, seed &+ 77)
            var value = shape.level * (1 + busy) * exp(shape.noise * noise)
            if (190..<200).contains(minute % 1_440) { value += shape.job }
            let slot = minute / 5
            if GivenHistory.chance(slot, seed &+ 99) < shape.transfers.count / 288 {
                value += shape.transfers.level * (0.5 + GivenHistory.chance(slot, seed &+ 98))
            }
            if shape.metric == .connectionsTCP { value = value.rounded() }
            return HistoryPoint(
                average: value, weight: 60_000_000, minimum: value * 0.6, maximum: value * 1.8, last: value, count: 6)
        }
    }

    private func changes(_ seed: UInt64, shift: Int64, _ reference: HistoryChanges.Reference) throws -> [HistoryChange]
    {
        var rules: [HistorySeries: GivenHistory.Rule] = [:]
        for (number, shape) in Self.shapes.enumerated() {
            let source = shape.metric.rawValue.hasPrefix("agent.") ? "agent" : "kernel"
            rules[HistorySeries(shape.metric, member: shape.member, source: source)] =
                Self.rule(shape, seed &+ UInt64(number) &* 1_000, shift: shift)
        }
        let record = RecordHistory(store: GivenHistory(rules), clock: ManualClock(), log: RecordingLog())
        let found = try RankChanges(record)(.seconds(3_600), against: reference, at: GivenHistory.now)
        #expect(found.compared == Self.shapes.count)
        return found.changes
    }

    /// Asked every three hours of three days: of 27 series, how many are named.
    @Test(arguments: [(.week, 12), (.day, 22)] as [(HistoryChanges.Reference, Int)])
    func fewSeriesAreNamedWithoutReason(reference: HistoryChanges.Reference, bound: Int) throws {
        var (asked, named, lasting) = (0, 0, 0)
        for day in [0, 2, 3] as [Int64] {
            for hour in stride(from: Int64(0), to: 24, by: 3) {
                let found = try changes(UInt64(day) &* 7_919, shift: day * 1_440 + hour * 60, reference)
                asked += 1
                named += found.count
                lasting += found.count { $0.end == nil }
            }
        }
        print(
            "quiet days, \(reference.rawValue): \(named) of \(asked * Self.shapes.count) series named, \(lasting) as lasting"
        )
        #expect(named <= bound)
    }

    /// The same days with something in them are not quiet.
    @Test func anEventAmongThemComesFirst() throws {
        var rules: [HistorySeries: GivenHistory.Rule] = [:]
        for (number, shape) in Self.shapes.enumerated() {
            let rule = Self.rule(shape, UInt64(number) &* 1_000, shift: 0)
            let series = HistorySeries(shape.metric, member: shape.member, source: "kernel")
            guard shape.metric == .dnsFailures else {
                rules[series] = rule
                continue
            }
            rules[series] = { index in
                guard var point = rule(index), index - GivenHistory.begin >= 48 else { return rule(index) }
                point.average += 8
                return point
            }
        }
        let record = RecordHistory(store: GivenHistory(rules), clock: ManualClock(), log: RecordingLog())
        let first = try RankChanges(record)(.seconds(3_600), against: .week, at: GivenHistory.now).changes.first
        #expect(first?.series.metric == .dnsFailures)
        #expect(first?.begin == Timestamp(seconds: (GivenHistory.begin + 48) * 60))
    }
}

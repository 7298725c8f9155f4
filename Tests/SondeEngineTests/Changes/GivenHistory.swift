import SondeDomain
import SondeEngine
import Synchronization

/// A history whose values are given by rules: minute by minute, in all tiers, as a store would have them.
final class GivenHistory: HistoryStore {
    /// The value of a minute since 1970; nil: nothing was read.
    typealias Rule = @Sendable (Int64) -> HistoryPoint?

    /// A minute of the range is 0 at the first, negative before it.
    static let begin: Int64 = 1_767_225_600 / 60 + 8 * 1_440 + 600
    static let now = Timestamp(seconds: (begin + 60) * 60 + 17)

    private let rules: [HistorySeries: Rule]
    private let calls = Mutex(0)
    private let failure: SondeError?

    init(_ rules: [HistorySeries: Rule], failing failure: SondeError? = nil) {
        self.rules = rules
        self.failure = failure
    }

    /// How often steps were read.
    var reads: Int { calls.withLock { $0 } }

    /// The series `minute` gives, whose argument counts from the beginning of the range; each has readings a fifth around it.
    static func value(_ minute: @escaping @Sendable (Int64) -> Double?) -> Rule {
        { index in
            minute(index - begin).map {
                HistoryPoint(
                    average: $0, weight: 60_000_000, minimum: $0 * 0.8, maximum: $0 * 1.2, last: $0, count: 6)
            }
        }
    }

    /// A number from 0 up to 1 that depends on the minute only, and looks like chance.
    static func chance(_ minute: Int64, _ seed: UInt64 = 0) -> Double {
        var mixed = UInt64(bitPattern: minute) &+ seed &* 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Double((mixed ^ (mixed >> 31)) >> 11) / 0x1p53
    }

    func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        calls.withLock { $0 += 1 }
        if let failure { throw failure }
        guard let rule = rules[series] else { return HistorySteps() }
        let now = tier.index(from: Self.now)
        let oldest = max(0, tier.index(from: HistoryRange(tier.window, before: Self.now).from))
        let kept = range.clamped(to: oldest..<now + 1)
        return HistorySteps(
            ascending: kept.compactMap { index in
                let first = tier.start(of: index).nanoseconds / 60_000_000_000
                let last = max(first, (tier.end(of: index).nanoseconds - 1) / 60_000_000_000)
                let points = (first...last).filter { $0 * 60 < Self.now.nanoseconds / 1_000_000_000 }.compactMap(rule)
                guard let point = points.first else { return nil }
                return HistoryStep(index, points.dropFirst().reduce(point) { $0.merging($1) })
            })
    }

    func overview() throws(SondeError) -> HistoryOverview {
        if let failure { throw failure }
        let entries = rules.keys.sorted().map { HistorySlots.Entry($0, rank: .standard, last: Self.now) }
        return HistoryOverview(series: entries, lastCommit: nil)
    }

    func append(_ additions: [HistoryAddition], at time: Timestamp) throws(SondeError) -> HistoryReceipt {
        HistoryReceipt(kept: Set(rules.keys), refused: [])
    }

    func takeFailures() -> [SondeError] { [] }

    var hasSetAside: Bool { false }
}

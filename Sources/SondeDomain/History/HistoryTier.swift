/// One resolution that history is kept in: steps of a fixed length, for as long as its window.
///
/// A step of a tier is a whole number of steps of the tier below, so that each of those is within one.
public enum HistoryTier: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Steps of 5 seconds for an hour.
    case hour
    /// Steps of 30 seconds for six hours.
    case sixHours
    /// Steps of 2 minutes for a day.
    case day
    /// Steps of 12 minutes for a week.
    case week
    /// Steps of an hour for 30 days.
    case month

    /// The name of the window: `1h`, `6h`, `24h`, `7d`, `30d`.
    public var name: String {
        switch self {
        case .hour: "1h"
        case .sixHours: "6h"
        case .day: "24h"
        case .week: "7d"
        case .month: "30d"
        }
    }

    /// The tier with that word, or nil.
    public init?(name: String) {
        guard let tier = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = tier
    }

    /// How long a step is.
    public var step: Nanoseconds {
        switch self {
        case .hour: .seconds(5)
        case .sixHours: .seconds(30)
        case .day: .seconds(120)
        case .week: .seconds(720)
        case .month: .seconds(3_600)
        }
    }

    /// How far back it reaches.
    public var window: Nanoseconds {
        switch self {
        case .hour: .seconds(3_600)
        case .sixHours: .seconds(6 * 3_600)
        case .day: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        case .month: .seconds(30 * 86_400)
        }
    }

    /// How many steps its window has: 720, for a week 840.
    public var stepCount: Int64 { window.value / step.value }

    /// The tier with the next shorter steps; nil: there is none.
    public var lower: HistoryTier? { HistoryTier(rawValue: rawValue - 1) }

    /// How many steps of the lower tier make one step of this; 1 for the lowest.
    public var lowerSteps: Int64 { lower.map { step.value / $0.step.value } ?? 1 }

    /// The length of one step in steps of the lowest tier.
    public var lowestSteps: Int64 { step.value / Self.hour.step.value }

    /// The steps of the lower tier that a step is made of.
    public func lowerSteps(of index: Int64) -> Range<Int64> {
        let first = index.multipliedReportingOverflow(by: lowerSteps).partialValue
        return first..<max(first, first &+ lowerSteps)
    }

    /// The step that an instant after its beginning and up to its end belongs to; instants before 1970 have none.
    ///
    /// A reading covers the time before it, so one that is made exactly at the end of a step belongs to that step.
    public func index(upTo time: Timestamp) -> Int64? {
        time.nanoseconds > 0 ? (time.nanoseconds &- 1) / step.value : nil
    }

    /// The step that begins at an instant or before it and ends after it; 0 before 1970.
    public func index(from time: Timestamp) -> Int64 {
        max(0, time.nanoseconds) / step.value
    }

    /// When a step begins, clamped.
    public func start(of index: Int64) -> Timestamp {
        let (value, overflow) = index.multipliedReportingOverflow(by: step.value)
        return Timestamp(nanoseconds: overflow ? .max : value)
    }

    /// When a step ends, clamped.
    public func end(of index: Int64) -> Timestamp {
        let (next, overflow) = index.addingReportingOverflow(1)
        return overflow ? Timestamp(nanoseconds: .max) : start(of: next)
    }

    /// Orders tiers by the length of their steps.
    public static func < (left: HistoryTier, right: HistoryTier) -> Bool {
        left.rawValue < right.rawValue
    }
}

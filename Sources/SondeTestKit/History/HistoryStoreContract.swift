internal import SondeDomain
public import SondeEngine

/// What every ``HistoryStore`` must do, as rules that a test runs against an implementation.
public struct HistoryStoreContract {
    /// One rule.
    public enum Rule: String, Sendable, CaseIterable {
        /// What was added is there, and nothing besides.
        case keepsWhatWasAdded
        /// What is added to a step comes after what was there.
        case mergesWhatComesLater
        /// A step of a higher tier is made when it is over, of those below.
        case makesStepsThatAreOver
        /// A series that falls silent gets the step that was open.
        case makesTheOpenStepOfASilentSeries
        /// A step that is added to after it was made is made again.
        case rebuildsChangedSteps
        /// One series is not another: member and source distinguish them.
        case keepsSeriesApart
        /// The oldest steps of a tier are overwritten, those of higher tiers stay.
        case forgetsTheOldestOfATier
        /// What finds no room is refused, and the rest is kept.
        case refusesWhatFindsNoRoom
        /// Distributions keep their counts in every tier.
        case mergesDistributions
        /// The last commit and the series are returned.
        case returnsCommitAndSeries
        /// After random additions every tier holds the merger of all that was added.
        case agreesWithTheRawSteps
    }

    /// A rule that was broken.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// What was seen.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// A whole number of steps of every tier: 2026-01-01T00:00:00Z.
    static let begin: Int64 = 1_767_225_600

    let make: (Int) throws -> any HistoryStore
    let first = HistorySeries(.bandwidthReceive, source: "kernel")

    /// The contract of what `make` returns: an empty history with room for so many units.
    public init(_ make: @escaping (_ units: Int) throws -> any HistoryStore) {
        self.make = make
    }

    /// Checks one rule.
    public func check(_ rule: Rule) throws {
        switch rule {
        case .keepsWhatWasAdded: try keepsWhatWasAdded()
        case .mergesWhatComesLater: try mergesWhatComesLater()
        case .makesStepsThatAreOver: try makesStepsThatAreOver()
        case .makesTheOpenStepOfASilentSeries: try makesTheOpenStepOfASilentSeries()
        case .rebuildsChangedSteps: try rebuildsChangedSteps()
        case .keepsSeriesApart: try keepsSeriesApart()
        case .forgetsTheOldestOfATier: try forgetsTheOldestOfATier()
        case .refusesWhatFindsNoRoom: try refusesWhatFindsNoRoom()
        case .mergesDistributions: try mergesDistributions()
        case .returnsCommitAndSeries: try returnsCommitAndSeries()
        case .agreesWithTheRawSteps: try agreesWithTheRawSteps()
        }
    }

    /// Throws when what was seen is not what is expected.
    func expect<Value: Equatable>(_ seen: Value, _ expected: Value, _ what: String) throws {
        guard seen != expected else { return }
        throw Violation("\(what): \(seen) is not \(expected)")
    }

    /// A time so many seconds after the beginning.
    func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: Self.begin + seconds) }

    /// The step of the lowest tier that begins so many seconds after the beginning.
    func step(_ seconds: Int64) -> Int64 { (Self.begin + seconds) / 5 }

    /// Points that hold these values in one step of the lowest tier after another.
    func steps(_ values: [Double], from seconds: Int64 = 0) -> HistorySteps {
        var steps = HistorySteps()
        for (place, value) in values.enumerated() {
            steps.set(HistoryPoint(value, weight: 5_000_000, peak: value + 1), at: step(seconds) + Int64(place))
        }
        return steps
    }

    /// An addition to a series that is always wanted.
    func addition(_ steps: HistorySteps, to series: HistorySeries? = nil) -> HistoryAddition {
        HistoryAddition(series ?? first, rank: .standard, steps)
    }

    /// Everything of a series in a tier.
    func all(_ tier: HistoryTier, _ store: any HistoryStore, of series: HistorySeries? = nil) throws -> [HistoryStep] {
        try store.steps(of: series ?? first, in: tier, 0..<Int64.max).steps
    }
}

internal import SondeDomain
public import SondeEngine

/// What every ``SpoolStore`` must do, as rules that a test runs against an implementation.
public struct SpoolStoreContract {
    /// One rule.
    public enum Rule: String, Sendable, CaseIterable {
        /// Points come out in the order they went in.
        case keepsOrder
        /// Stretches of a sink follow each other without a gap, from the first number on.
        case leavesNoGap
        /// A stretch is the same until it is acknowledged, independent of what is appended meanwhile.
        case offersTheSameStretch
        /// One sink's progress is not another's.
        case keepsSinksApart
        /// A cut has no more numbers than asked for, and one even when no byte is allowed.
        case respectsLimits
        /// A shortened stretch begins where it began, and the rest follows it.
        case shortens
        /// A sink gets only what it asked for.
        case filtersContent
        /// What no sink asked for takes no number.
        case numbersOnlyWhatIsWanted
        /// Acknowledging what is not being delivered changes nothing.
        case ignoresForeignAcknowledgements
        /// A sink that comes late starts at the tail.
        case startsLateReadersAtTheTail
        /// A sink that is added again, as after a reload, continues at its place, with the stretch being delivered.
        case resumesReadersThatAreAddedAgain
        /// What a removed sink had not read is reported, once.
        case reportsLossOfRemovedReaders
        /// The oldest are dropped, counted exactly for each sink.
        case countsDroppedPoints
        /// A full log refuses and keeps what it has.
        case refusesWhenFull
        /// Overflow leaves the stretch being delivered whole.
        case keepsTheCurrentStretch
        /// A live sink that reads nothing stops no append.
        case isNotHeldByLiveSinks
        /// A stretch has one resource, the one under which it was appended.
        case keepsResourcesApart
        /// A removed sink holds nothing.
        case forgetsRemovedReaders
        /// Appended = acknowledged + lost + waiting, after every step of a random sequence.
        case keepsAccounts
    }

    /// A rule that was broken.
    public struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
        /// What was seen.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    let make: (Int64, AgentSettings.OverflowPolicy) -> any SpoolStore
    let now = MonotonicInstant(nanoseconds: 1)

    /// The contract of what `make` returns: an empty log of about so many bytes with that policy.
    public init(_ make: @escaping (Int64, AgentSettings.OverflowPolicy) -> any SpoolStore) {
        self.make = make
    }

    /// Checks one rule.
    public func check(_ rule: Rule) throws(Violation) {
        switch rule {
        case .keepsOrder: try keepsOrder()
        case .leavesNoGap: try leavesNoGap()
        case .offersTheSameStretch: try offersTheSameStretch()
        case .keepsSinksApart: try keepsSinksApart()
        case .respectsLimits: try respectsLimits()
        case .shortens: try shortens()
        case .filtersContent: try filtersContent()
        case .numbersOnlyWhatIsWanted: try numbersOnlyWhatIsWanted()
        case .ignoresForeignAcknowledgements: try ignoresForeignAcknowledgements()
        case .startsLateReadersAtTheTail: try startsLateReadersAtTheTail()
        case .resumesReadersThatAreAddedAgain: try resumesReadersThatAreAddedAgain()
        case .reportsLossOfRemovedReaders: try reportsLossOfRemovedReaders()
        case .countsDroppedPoints: try countsDroppedPoints()
        case .refusesWhenFull: try refusesWhenFull()
        case .keepsTheCurrentStretch: try keepsTheCurrentStretch()
        case .isNotHeldByLiveSinks: try isNotHeldByLiveSinks()
        case .keepsResourcesApart: try keepsResourcesApart()
        case .forgetsRemovedReaders: try forgetsRemovedReaders()
        case .keepsAccounts:
            for seed in 1...20 as ClosedRange<UInt64> { try SpoolAccounts(contract: self, seed: seed).check() }
        }
    }

    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(Violation) {
        guard condition else { throw Violation(message()) }
    }

    func roomy() -> any SpoolStore { make(64 << 20, .dropOldest) }
}

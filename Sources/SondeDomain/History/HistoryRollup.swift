/// What one commit does to the steps of a series in all tiers.
///
/// The step of a higher tier that the commit itself falls into is left open: it would be written at every commit. It is made
/// of the tier below by the first commit that falls elsewhere, be that later or, after the clock was set, earlier. To every
/// other step, and to an open one that was made before, what is new is added at once. So no step of a higher tier is ever
/// made of a tier below that has forgotten a part of it.
public struct HistoryRollup: Hashable, Sendable {
    private let lastWritten: Timestamp?
    private let lastCommit: Timestamp?
    private let now: Timestamp

    /// A commit at `now`.
    ///
    /// `lastWritten` is when the series was written to before, `lastCommit` when anything was.
    public init(lastWritten: Timestamp?, lastCommit: Timestamp?, at now: Timestamp) {
        self.lastWritten = lastWritten
        self.lastCommit = lastCommit
        self.now = now
    }

    /// Adds steps of the lowest tier to all tiers.
    public func add<Rows: HistoryStepRows>(_ steps: HistorySteps, to rows: inout Rows) throws(Rows.Failure) {
        // Before anything else: what is new may take the places of the steps that these are made of.
        for tier in HistoryTier.allCases {
            guard let lower = tier.lower, let index = left(in: tier), try rows.point(of: index, in: tier) == nil,
                let point = try merged(tier.lowerSteps(of: index), in: lower, &rows)
            else { continue }
            try rows.set(point, of: index, in: tier)
        }
        for tier in HistoryTier.allCases {
            let open = tier.lower == nil ? nil : tier.index(from: now)
            for step in steps.grouped(by: tier.lowestSteps).steps {
                let known = try rows.point(of: step.index, in: tier)
                guard known != nil || step.index != open else { continue }
                try rows.set(known?.merging(step.point) ?? step.point, of: step.index, in: tier)
            }
        }
    }

    /// The step of a tier that was left open and is not any more, if the series may have something in it.
    private func left(in tier: HistoryTier) -> Int64? {
        guard let lastWritten, let lastCommit else { return nil }
        let index = tier.index(from: lastCommit)
        return index != tier.index(from: now) && index == tier.index(from: lastWritten) ? index : nil
    }

    private func merged<Rows: HistoryStepRows>(
        _ range: Range<Int64>,
        in tier: HistoryTier,
        _ rows: inout Rows
    ) throws(Rows.Failure) -> HistoryPoint? {
        var all: HistoryPoint?
        for index in range {
            guard let point = try rows.point(of: index, in: tier) else { continue }
            all = all?.merging(point) ?? point
        }
        return all
    }
}

/// The steps of one series in all tiers, as a commit reads and changes them.
public protocol HistoryStepRows {
    /// Why they cannot be read.
    associatedtype Failure: Error

    /// What is kept of a step; nil: nothing.
    mutating func point(of index: Int64, in tier: HistoryTier) throws(Failure) -> HistoryPoint?

    /// Puts a point in the place of what is kept of a step.
    mutating func set(_ point: HistoryPoint, of index: Int64, in tier: HistoryTier) throws(Failure)
}

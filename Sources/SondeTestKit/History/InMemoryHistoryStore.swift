public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A history in memory, with failures on demand: what tests of everything above the store use.
public final class InMemoryHistoryStore: HistoryStore {
    private struct State {
        var slots: HistorySlots
        var tiers: [HistorySeries: [HistoryTier: HistorySteps]] = [:]
        var lastCommit: Timestamp?
        var failure: SondeError?
        var commits = 0
    }

    private struct Rows: HistoryStepRows {
        var tiers: [HistoryTier: HistorySteps]

        func point(of index: Int64, in tier: HistoryTier) -> HistoryPoint? { tiers[tier]?[index] }

        mutating func set(_ point: HistoryPoint, of index: Int64, in tier: HistoryTier) {
            // Taken out while it changes: the steps would be copied for each point.
            var steps = tiers.removeValue(forKey: tier) ?? HistorySteps()
            let chunk = HistoryRing.chunk(of: index)
            let first = HistoryRing.firstStep(of: chunk)
            // A new chunk takes its place in the ring from the one that is there.
            if steps[first..<(first + HistoryRing.chunkSteps)].isEmpty { Self.clear(chunk, in: tier, &steps) }
            steps.set(point, at: index)
            tiers[tier] = steps
        }

        private static func clear(_ chunk: Int64, in tier: HistoryTier, _ steps: inout HistorySteps) {
            let place = HistoryRing.place(of: chunk, in: tier)
            func hasPlace(_ step: HistoryStep) -> Bool {
                HistoryRing.place(of: HistoryRing.chunk(of: step.index), in: tier) == place
            }
            // Time goes forward nearly always: then it is the oldest one, and the others are of the lap before this chunk.
            _ = steps.keepNewest(steps.count - steps.steps.prefix(while: hasPlace).count)
            guard let oldest = steps.steps.first, let newest = steps.steps.last else { return }
            let lap = (chunk - HistoryRing.chunkCount(of: tier) + 1)..<chunk
            guard ![oldest, newest].allSatisfy({ lap.contains(HistoryRing.chunk(of: $0.index)) }) else { return }
            steps = HistorySteps(ascending: steps.steps.filter { !hasPlace($0) })
        }
    }

    private let state: Mutex<State>

    /// An empty history with room for so many units.
    public init(units: Int) {
        state = Mutex(State(slots: HistorySlots(capacity: units)))
    }

    /// How many commits there were.
    public var commits: Int { state.withLock { $0.commits } }

    /// Makes every call fail with that, or none.
    public func fail(with error: SondeError?) {
        state.withLock { $0.failure = error }
    }

    /// Adds steps to all tiers.
    public func append(_ additions: [HistoryAddition], at time: Timestamp) throws(SondeError) -> HistoryReceipt {
        try state.withLock { (state) throws(SondeError) in
            if let failure = state.failure { throw failure }
            let before = Dictionary(state.slots.all.map { ($0.series, $0.last) }) { first, _ in first }
            var added: [HistorySeries: HistorySteps] = [:]
            var refused: [HistorySeries] = []
            for addition in additions {
                switch state.slots.place(addition.series, rank: addition.rank, at: time) {
                case .kept: added[addition.series, default: HistorySteps()].merge(addition.steps)
                case .given:
                    state.tiers[addition.series] = nil
                    added[addition.series] = addition.steps
                case .refused: refused.append(addition.series)
                }
            }
            for series in state.slots.all.map(\.series) {
                let steps = added[series] ?? HistorySteps()
                Self.add(
                    steps, lastWritten: before[series], state.lastCommit, time, to: &state.tiers[series, default: [:]])
            }
            state.lastCommit = time
            state.commits += 1
            return HistoryReceipt(kept: Set(state.slots.all.map(\.series)), refused: refused)
        }
    }

    /// The steps of a series that are kept in a tier.
    public func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        try state.withLock { (state) throws(SondeError) in
            if let failure = state.failure { throw failure }
            let steps = state.tiers[series]?[tier] ?? HistorySteps()
            return HistorySteps(ascending: Array(steps[range]))
        }
    }

    /// What is kept.
    public func overview() throws(SondeError) -> HistoryOverview {
        try state.withLock { (state) throws(SondeError) in
            if let failure = state.failure { throw failure }
            return HistoryOverview(series: state.slots.all, lastCommit: state.lastCommit)
        }
    }

    /// Nothing is ever damaged here.
    public func takeFailures() -> [SondeError] { [] }

    /// Nothing is set aside.
    public var hasSetAside: Bool { false }

    private static func add(
        _ steps: HistorySteps,
        lastWritten: Timestamp?,
        _ lastCommit: Timestamp?,
        _ time: Timestamp,
        to tiers: inout [HistoryTier: HistorySteps]
    ) {
        var rows = Rows(tiers: tiers)
        HistoryRollup(lastWritten: lastWritten, lastCommit: lastCommit, at: time).add(steps, to: &rows)
        tiers = rows.tiers
    }
}

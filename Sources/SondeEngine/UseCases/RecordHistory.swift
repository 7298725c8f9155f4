public import SondeDomain
internal import Synchronization

/// Collects what sources read and writes it to the store, once a minute.
///
/// ``take(_:)`` never waits for a disk; ``commit()`` may, on a separate thread. When nothing can be
/// written, what was collected waits, bounded, and delivery is not affected. May be called from any thread.
public final class RecordHistory: Sendable {
    /// The interval of commits: each costs several wake-ups.
    public static let pause = Nanoseconds.seconds(60)

    /// For how long it is reported that what was kept was damaged.
    ///
    /// It is over at once and easily missed. What was set aside is reported until it is removed, if that is
    /// sooner.
    public static let damageShown = Nanoseconds.seconds(3_600)

    fileprivate struct State {
        var pending = HistoryPending()
        var kept: Set<HistorySeries> = []
        var episodes = FailureEpisodes()
        var damages: [ErrorCode: InstanceStatus.Failure] = [:]
        var hasReportedRefusals = false
        var hasReportedDrops = false
        /// Of what was already written.
        var dropped: UInt64 = 0
    }

    private let store: any HistoryStore
    private let clock: any Clock
    private let log: any EventLog
    private let state = Mutex(State())
    // Writes and reads exclude each other, so that nothing is read twice: from the store and as waiting.
    private let turn = Mutex(())

    /// A use case that writes to `store`.
    public init(store: any HistoryStore, clock: any Clock, log: any EventLog) {
        self.store = store
        self.clock = clock
        self.log = log
    }

    /// What fails now, or failed shortly before, and what was found damaged within ``damageShown``.
    public var failures: [InstanceStatus.Failure] {
        let now = clock.monotonicTime
        return state.withLock { state in
            let damages = state.damages.values.filter { now.since($0.last) < Self.damageShown }
            return state.episodes.lasting + damages.sorted { $0.error.code.text < $1.error.code.text }
        }
    }

    /// How many steps and readings were dropped: too many waited, or too many series were new at once.
    public var dropped: UInt64 { state.withLock { $0.dropped &+ $0.pending.dropped } }

    /// Takes the readings of one commit of a source.
    public func take(_ readings: [HistoryCollector.Reading]) {
        guard !readings.isEmpty else { return }
        state.withLock { state in
            for reading in readings { state.pending.add(reading, isKept: state.kept.contains(reading.series)) }
        }
    }

    /// Writes what waits, and reports failures; returns when it is to be called again.
    public func commit() -> MonotonicInstant {
        let (refused, failures) = turn.withLock { _ in write() }
        report(refused: refused)
        reportDrops()
        report(failures)
        if !store.hasSetAside { state.withLock { $0.acknowledge() } }
        return clock.monotonicTime.advanced(by: Self.pause)
    }

    /// Reads while nothing is written; `body` must not call this use case.
    func read<Result>(
        _ body: (HistoryReading) throws(SondeError) -> Result
    ) throws(SondeError) -> Result {
        try turn.withLock { (_) throws(SondeError) -> Result in
            let pending = state.withLock { $0.pending }
            return try body(try HistoryReading(store, pending))
        }
    }

    private func write() -> (refused: [HistorySeries], failures: [SondeError]) {
        let waiting = state.withLock { state in
            defer { state.pending = HistoryPending() }
            return state.pending
        }
        guard !waiting.isEmpty else {
            putBack(waiting)
            return ([], store.takeFailures())
        }
        do throws(SondeError) {
            let receipt = try store.append(waiting.additions, at: clock.wallTime)
            state.withLock { state in
                state.kept = receipt.kept
                state.dropped &+= waiting.dropped
            }
            return (receipt.refused, store.takeFailures())
        } catch {
            putBack(waiting)
            return ([], store.takeFailures() + [error])
        }
    }

    private func putBack(_ waiting: HistoryPending) {
        state.withLock { state in
            var all = waiting
            all.merge(state.pending)
            state.pending = all
        }
    }

    private func report(refused: [HistorySeries]) {
        guard let first = refused.first else { return }
        let isNew = state.withLock { state in
            defer { state.hasReportedRefusals = true }
            return !state.hasReportedRefusals
        }
        guard isNew else { return }
        let name = [first.metric.rawValue, first.member].compactMap(\.self).joined(separator: " ")
        log.log(
            .info,
            "history has no room for \(refused.count) series, the first of which is \(name) of \(first.source); "
                + "agent.history.max_bytes makes room",
            component: nil)
    }

    /// Once: where nothing can be written, that is reported as a failure for as long as it lasts.
    private func reportDrops() {
        let count = dropped
        guard count > 0 else { return }
        let isNew = state.withLock { state in
            defer { state.hasReportedDrops = true }
            return !state.hasReportedDrops
        }
        guard isNew else { return }
        log.log(
            .info,
            "history has left out \(count) readings: too many waited to be written, or were of new series; "
                + "this is not reported again",
            component: nil)
    }

    private func report(_ failures: [SondeError]) {
        let now = clock.monotonicTime
        let reports = state.withLock { state in
            for failure in failures where failure.failureClass.isEvent { state.note(failure, at: now) }
            return state.episodes.take(failures, at: now) + (failures.isEmpty ? state.episodes.settle(at: now) : [])
        }
        for report in reports { log.log(.error, report, component: nil) }
    }
}

extension RecordHistory.State {
    /// What was set aside has been removed: the damage was noticed.
    fileprivate mutating func acknowledge() {
        for code in [ErrorCode.historyDamaged, .historyForeign, .historyNewer] { damages[code] = nil }
    }

    fileprivate mutating func note(_ damage: SondeError, at now: MonotonicInstant) {
        guard var known = damages[damage.code], now.since(known.last) < RecordHistory.damageShown else {
            damages[damage.code] = InstanceStatus.Failure(error: damage, since: now, last: now)
            return
        }
        known.error = damage
        known.last = now
        known.count &+= 1
        damages[damage.code] = known
    }
}

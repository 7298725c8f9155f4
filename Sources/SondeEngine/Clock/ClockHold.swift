public import SondeDomain
internal import Synchronization

/// Holds what sources commit while the wall clock is suspect, and stamps it when the clock is right.
///
/// May be called from any thread.
public final class ClockHold: Sendable {
    private struct State {
        var check: ClockCheck
        var held = HeldCommits()
        /// When the clock became suspect.
        var since: MonotonicInstant
        /// The agent stops: nothing more is held.
        var isClosed = false

        /// Whether a commit may have to wait or to be put right.
        var isActive: Bool { check.suspicion != nil || !held.isEmpty || !check.corrections.isEmpty }
    }

    /// What passes on a commit, and how to put right the times that are added to it.
    typealias Taker = (SourceCommit, ClockCorrections) -> CommitResult

    /// Receivers refuse points of a host whose clock is ahead by more than this.
    static let farthestAhead = Nanoseconds.seconds(86_400)

    private let release: Timestamp
    private let clock: any Clock
    private let ledger: LossLedger
    private let log: any EventLog
    private let whenRight: @Sendable () -> Void
    private let state: Mutex<State>
    // What the state says, without its lock: almost always false.
    private let isActive: Atomic<Bool>

    /// A hold of an agent that starts.
    ///
    /// `release`: when it was made; `recorded`: the newest time that an earlier run has recorded, nil: none is known. `whenRight`
    /// is called each time the clock is taken for right after it was suspect.
    public init(
        release: Timestamp, recorded: Timestamp?, clock: any Clock, ledger: LossLedger, log: any EventLog,
        whenRight: @escaping @Sendable () -> Void = {}
    ) {
        self.whenRight = whenRight
        self.release = release
        self.clock = clock
        self.ledger = ledger
        self.log = log
        let check = ClockCheck(release: release, recorded: recorded, first: .init(clock)) { clock.isSynchronized }
        state = Mutex(State(check: check, since: clock.monotonicTime))
        isActive = Atomic(check.suspicion != nil)
        if let suspicion = check.suspicion { announce(suspicion) }
    }

    /// What is wrong with the clock; nothing while a time daemon is waited for after boot.
    public var failures: [InstanceStatus.Failure] {
        guard isActive.load(ordering: .relaxed) else { return [] }
        let (suspicion, since, held) = state.withLock { ($0.check.suspicion, $0.since, $0.held.samples) }
        guard let suspicion, suspicion != .unsynchronized else { return [] }
        let error = SondeError.clockSuspect(suspicion, wall: clock.wallTime, release: release, held: held)
        return [.init(error: error, since: since, last: clock.monotonicTime)]
    }

    /// Whether the wall clock was suspect when it was last read.
    var isSuspect: Bool { isActive.load(ordering: .relaxed) && state.withLock { $0.check.suspicion != nil } }

    /// Reads the clocks, and returns whether the wall clock is right; `becameRight` is called when it was not before.
    func isRight(_ becameRight: () -> Void) -> Bool {
        let (before, after, held) = state.withLock { state in
            let before = state.check.suspicion
            state.check.observe(.init(clock)) { clock.isSynchronized }
            let after = state.check.suspicion
            guard before != after else { return (before, after, 0 as UInt64) }
            if before == nil { state.since = clock.monotonicTime }
            isActive.store(state.isActive, ordering: .relaxed)
            return (before, after, state.held.samples)
        }
        guard before != after else { return after == nil }
        if let after {
            announce(after)
        } else {
            becameRight()
            whenRight()
            let text = "the clock is taken for right; \(held) samples were held and are stamped by it"
            log.log(.info, text, component: nil)
        }
        return after == nil
    }

    /// The time as it was read, put right.
    func corrected(_ time: Timestamp) -> Timestamp {
        guard isActive.load(ordering: .relaxed) else { return time }
        let now = clock.wallTime
        return state.withLock { $0.check.corrections.corrected(time, at: now) }
    }

    /// Points as they were read, with their times put right.
    func corrected(_ points: [SpooledPoint]) -> [SpooledPoint] {
        guard isActive.load(ordering: .relaxed) else { return points }
        let now = clock.wallTime
        return state.withLock { $0.check.corrections.corrected(points, at: now) }
    }

    /// Holds a commit while the clock is suspect; otherwise passes on what is held, then the commit.
    ///
    /// `take` must not call this object.
    func pass(_ commit: SourceCommit, _ take: Taker) -> CommitResult {
        guard isActive.load(ordering: .relaxed) else { return take(commit, ClockCorrections()) }
        return state.withLock { state in
            guard state.check.suspicion == nil else {
                guard !state.isClosed else { return .stopping }
                hold(commit, &state)
                return .taken
            }
            passHeld(&state, take)
            // What comes later waits until there is room for what was before it.
            guard state.held.isEmpty else { return .busy }
            let corrections = state.check.corrections
            return take(right(commit, corrections, at: clock.wallTime), corrections)
        }
    }

    /// The last checkpoint that a source has committed and that is held; nil: none is.
    func checkpoint(of source: String) -> [UInt8]? {
        guard isActive.load(ordering: .relaxed) else { return nil }
        return state.withLock { $0.held.checkpoint(of: source) }
    }

    /// The agent stops: passes on what is held if the clock is right, and counts the rest as lost.
    ///
    /// With a log that `isDurable`, a source that has a checkpoint reads the rest again after the next start.
    func close(isDurable: Bool, _ take: Taker) {
        _ = isRight {}
        state.withLock { state in
            state.isClosed = true
            if state.check.suspicion == nil { passHeld(&state, take) }
            for commit in state.held.commits where commit.checkpoint == nil || !isDurable { lose(commit.points) }
            state.held = HeldCommits()
        }
    }

    private func announce(_ suspicion: ClockCheck.Suspicion) {
        guard suspicion == .unsynchronized else {
            let error = SondeError.clockSuspect(suspicion, wall: clock.wallTime, release: release, held: 0)
            return log.log(.error, error)
        }
        log.log(
            .info, "no time daemon has set the clock since boot: samples are held until one has, or for three minutes",
            component: nil)
    }

    private func hold(_ commit: SourceCommit, _ state: inout State) {
        var commit = commit
        // A snapshot contains its time, and the next one contains what it has.
        commit.documents = []
        guard !commit.points.isEmpty || commit.checkpoint != nil else { return }
        for dropped in state.held.append(commit) { lose(dropped.points) }
    }

    private func passHeld(_ state: inout State, _ take: Taker) {
        guard !state.held.isEmpty else { return }
        let corrections = state.check.corrections
        let latest = clock.wallTime.advanced(by: Self.farthestAhead)
        state.held.release { commit in
            var commit = right(commit, corrections, at: nil)
            let impossible = commit.points.filter { $0.time > latest }
            commit.points.removeAll { $0.time > latest }
            let result = take(commit, corrections)
            if result == .taken { lose(impossible, .impossibleTime) }
            return result
        }
        isActive.store(state.isActive, ordering: .relaxed)
    }

    private func right(_ commit: SourceCommit, _ corrections: ClockCorrections, at now: Timestamp?) -> SourceCommit {
        var right = commit
        right.points = corrections.corrected(commit.points, at: now)
        return right
    }

    private func lose(_ points: [SpooledPoint], _ reason: LossReason = .clockSuspect) {
        let count = points.count { !$0.value.isEnd }
        guard count > 0, let source = points.first?.series.source else { return }
        // Without times: they are of a clock that is not known to be right.
        ledger.record(Loss(reason, component: source, count: UInt64(count)))
    }
}

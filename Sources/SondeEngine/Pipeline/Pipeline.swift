internal import SondeDomain
internal import Synchronization

/// The path from sources to sinks: takes normalized points, logs them, wakes the sinks that should read.
///
/// May be called from any thread.
public final class Pipeline: Sendable {
    private let spool: any SpoolStore
    private let ledger: LossLedger
    private let clock: any Clock
    private let gates = Mutex<[DeliveryGate]>([])
    private let isClosed = Atomic<Bool>(false)
    private let nextSeriesID = Atomic<UInt64>(1)
    private let lossSeries: LossSeries?
    private let hold: ClockHold?
    /// The ends of series that the run before left and no source has taken over, until the log takes them.
    private let unclaimedEnds = Mutex<[SpooledPoint]>([])
    /// The numbers of the ledger's series that the run before left: one that is reported again keeps its number, so that a request
    /// has it once and in order.
    private let pastLosses = Mutex<[SeriesFingerprint: SeriesID]>([:])
    /// What wakes the thread that syncs the log; nil: there is none.
    public let syncSchedule: SyncSchedule?

    /// A pipeline into `spool`.
    ///
    /// `lossSeries` makes the points that the ledger is shipped as, nil: not shipped. `hold` holds commits while the wall
    /// clock is suspect, nil: they are stamped as it is. `syncSchedule` wakes the thread that syncs the log, nil: there is
    /// none.
    public init(
        spool: any SpoolStore,
        ledger: LossLedger,
        clock: any Clock,
        lossSeries: LossSeries? = nil,
        hold: ClockHold? = nil,
        syncSchedule: SyncSchedule? = nil
    ) {
        self.spool = spool
        self.ledger = ledger
        self.clock = clock
        self.lossSeries = lossSeries
        self.hold = hold
        self.syncSchedule = syncSchedule
        // What an earlier run left is not synced either.
        syncSchedule?.appended(wasSettled: spool.isSettled, unsafeBytes: spool.unsafeBytes, at: clock.monotonicTime)
    }

    /// Adds a sink to those that are woken, replacing one of the same id.
    ///
    /// The first sinks before any source starts.
    public func add(_ gate: DeliveryGate) {
        gates.withLock { gates in
            gates.removeAll { $0.sink == gate.sink }
            gates.append(gate)
        }
    }

    /// Stops waking a sink.
    public func remove(_ gate: DeliveryGate) {
        gates.withLock { $0.removeAll { $0 === gate } }
    }

    /// Refuses every commit from now on; what is held for the clock is lost unless that is right by now.
    public func close() {
        hold?.close(isDurable: spool.isDurable, append)
        isClosed.store(true, ordering: .releasing)
    }

    /// Reads the clocks, and returns whether the wall clock is right: what is committed otherwise waits until it is.
    func isClockRight() -> Bool { hold?.isRight { spool.clockBecameRight() } ?? true }

    /// Whether the wall clock was suspect when it was last read.
    var isClockSuspect: Bool { hold?.isSuspect ?? false }

    /// A time as it was read, which may have been before the clock was set.
    func corrected(_ time: Timestamp) -> Timestamp { hold?.corrected(time) ?? time }

    /// Points as they were read, which may have been before the clock was set.
    func corrected(_ points: [SpooledPoint]) -> [SpooledPoint] { hold?.corrected(points) ?? points }

    /// Whether any sink is sent snapshots, which contain their time.
    public var wantsSnapshots: Bool {
        !isClockSuspect && gates.withLock { $0.contains { $0.wants.contains(.snapshots) } }
    }

    /// A number for a new series, never given before in this process.
    func makeSeriesID() -> SeriesID {
        SeriesID(rawValue: nextSeriesID.wrappingAdd(1, ordering: .relaxed).oldValue)
    }

    /// The series of a source that the run before left without an end; those of the ledger end in any case.
    func takeUnended(of source: String) -> [Series] {
        var series = spool.takeUnended(of: source)
        end(series.filter(LossSeries.has))
        series.removeAll(where: LossSeries.has)
        return series
    }

    /// Ends the series that the run before left and that no source of this run has taken over.
    ///
    /// Once all sinks and sources of the start are made.
    public func endUnclaimedSeries() {
        end(spool.takeUnended(of: nil))
        if !unclaimedEnds.withLock(\.isEmpty) { _ = submit([], documents: []) }
    }

    private func end(_ series: [Series]) {
        let now = clock.wallTime
        // The log has a series twice where an end that was to stand between was dropped.
        var seen: Set<SeriesID> = []
        let ended = series.filter { seen.insert($0.id).inserted }
        pastLosses.withLock { past in
            for series in ended where LossSeries.has(series) { past[SeriesFingerprint(series)] = series.id }
        }
        unclaimedEnds.withLock { $0 += ended.map { SpooledPoint(series: $0, time: now, start: nil, value: .ended) } }
    }

    /// The last checkpoint of a source that was taken and survived.
    func checkpoint(of source: String) -> [UInt8]? {
        hold?.checkpoint(of: source) ?? spool.checkpoint(of: source)
    }

    /// Takes the points, documents and checkpoint of one commit, or nothing.
    func submit(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint? = nil
    ) -> CommitResult {
        guard !isClosed.load(ordering: .acquiring) else { return .stopping }
        let commit = SourceCommit(points: points, documents: documents, checkpoint: checkpoint)
        return hold?.pass(commit, append) ?? append(commit, ClockCorrections())
    }

    private func append(_ commit: SourceCommit, _ corrections: ClockCorrections) -> CommitResult {
        let now = clock.monotonicTime
        let wasSettled = syncSchedule == nil || spool.isSettled
        let ledgerEntries = lossSeries == nil ? [] : ledger.takeChanged()
        let ends = unclaimedEnds.withLock { ends in
            defer { ends = [] }
            return ends
        }
        let own = ledgerEntries.isEmpty && ends.isEmpty ? [] : ends + lossPoints(ledgerEntries, after: ends)
        let all = own.isEmpty ? commit.points : commit.points + corrections.corrected(own, at: clock.wallTime)
        let (result, losses) = spool.append(
            all, documents: commit.documents, checkpoint: commit.checkpoint, at: now)
        for loss in losses {
            ledger.record(
                Loss(.spoolOverflow, component: loss.sink, from: loss.from, to: loss.to, count: loss.count)
            )
        }
        // Also after a refusal: its reason has to be reported.
        syncSchedule?.appended(wasSettled: wasSettled, unsafeBytes: spool.unsafeBytes, at: now)
        guard case .taken = result else {
            ledger.putBack(ledgerEntries)
            unclaimedEnds.withLock { $0 += ends }
            return .busy
        }
        for gate in gates.withLock({ $0 }) {
            gate.dataArrived(at: now) { spool.backlog(of: gate.sink) }
        }
        return .taken
    }

    /// Losses are data too: they are sent with the next commit, so that the centre knows what is missing.
    private func lossPoints(_ entries: [LossLedger.Entry], after ends: [SpooledPoint]) -> [SpooledPoint] {
        guard let lossSeries else { return [] }
        // A loss of the start may be of a series that ends here: receivers keep one sample of a series and millisecond.
        let earliest = ends.map(\.time).max()?.advanced(by: .milliseconds(1))
        let now = clock.wallTime
        let time = earliest.map { max($0, now) } ?? now
        return entries.flatMap { entry in
            lossSeries.points(of: entry, now: time) { new in
                new.numbered(pastLosses.withLock { $0[SeriesFingerprint(new)] } ?? makeSeriesID())
            }
        }
    }
}

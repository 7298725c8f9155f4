public import SondeDomain
internal import SondeFormats
internal import Synchronization

/// One source's input to the pipeline: its series, their normalizers and its snapshots.
public final class SourceChannel: SourceServices {
    private struct State {
        var table: SeriesTable
        var readings: SourceReadings
        var past: PastSeries
        var tickTime: (wall: Timestamp, at: MonotonicInstant)?
        var tickPeriod = Nanoseconds.zero
        var noted: Set<String> = []
        var lastCommit: Timestamp?
        /// Why samples of the commit under way were rejected; empty at other times.
        var rejections: [RejectionCounts.Key: UInt64] = [:]
    }

    /// The range of periods that ticks may have.
    public static let tickRange = Nanoseconds.milliseconds(20)...Nanoseconds.seconds(1)
    /// How many series a source may have open when neither its plugin nor the configuration sets a bound.
    public static let seriesBound = 50_000
    private static let attributeBound = 16
    private static let notedBound = 1_000

    /// The handle of every series that is not collected: its samples are left out, which is no rejection.
    static let uncollected = UInt64.max - 1

    /// The source's `id`.
    public let id: String
    /// The clocks.
    public let clock: any Clock
    private let pipeline: Pipeline
    private let ledger: LossLedger
    private let eventLog: any EventLog
    private let labels: [Attribute]
    private let catalog: [String: MetricLevel]
    private let level: MetricLevel
    private let collected: MetricLevel
    private let logs: @Sendable (String) -> Bool
    private let meanings: MetricMeanings
    private let holdsWhatIsRefused = Atomic<Bool>(false)
    private let entry: StatusEntry?
    private let reports: InstanceReports
    private let snapshot: @Sendable () -> Snapshot?
    private let health: ReportHealth?
    private let isRecorded: Bool
    private let updates: SeriesUpdates?
    private let state: Mutex<State>

    /// A channel for a source that is collected, or commits, once per `interval`; `listeners` get what it reads.
    ///
    /// Series of a later level than `level` are read for the listeners, and not sent; so are metrics that it does not
    /// log. Those of a later level than `collected` are not kept at all.
    ///
    /// Series of the source that the run before left without an end are ended unless the source opens them again.
    public init(
        id: String,
        descriptor: PluginDescriptor,
        labels: [Attribute],
        host: String?,
        pipeline: Pipeline,
        ledger: LossLedger,
        log: any EventLog,
        clock: any Clock,
        interval: Nanoseconds = .seconds(10),
        level: MetricLevel = .all,
        collected: MetricLevel = .all,
        logs: @escaping @Sendable (String) -> Bool = { _ in true },
        seriesLimit: Int = SourceChannel.seriesBound,
        listeners: Listeners = Listeners()
    ) {
        self.id = id
        let book = listeners.book ?? (listeners.snapshot == nil ? SnapshotBook() : nil)
        updates = listeners.updates
        isRecorded = listeners.history != nil || listeners.book != nil
        health = listeners.health
        snapshot =
            listeners.snapshot
            ?? {
                var own = Snapshot(time: clock.wallTime, host: host, window: SnapshotBook.window)
                book?.fill(&own, at: clock.monotonicTime)
                return own
            }
        entry = listeners.status
        reports = InstanceReports(id: id, entry: listeners.status, log: log, clock: clock)
        self.clock = clock
        self.pipeline = pipeline
        self.ledger = ledger
        eventLog = log
        self.labels = labels
        catalog = Dictionary(descriptor.metrics.map { ($0.name, $0.level) }, uniquingKeysWith: min)
        self.level = level
        self.collected = collected
        self.logs = logs
        meanings = listeners.meanings ?? MetricMeanings()
        meanings.learn(descriptor.metrics)
        state = Mutex(
            State(
                table: SeriesTable(
                    bound: seriesLimit, sees: descriptor.sees, lists: TopListDefinition.lists(of: descriptor.metrics)),
                readings: SourceReadings(source: id, began: clock.wallTime, history: listeners.history, book: book),
                past: PastSeries(interval: interval))
        )
        let unended = pipeline.takeUnended(of: id)
        if !unended.isEmpty { state.withLock { $0.past.inherit(unended) } }
    }

    /// Notes that the source streams: it holds what is refused and commits it again.
    ///
    /// A refused commit of a polled source is a loss, since the next collection has new readings: the source continues
    /// as if it was taken. With a checkpoint it is no loss: the checkpoint is not moved.
    public func holdWhatIsRefused() {
        holdsWhatIsRefused.store(true, ordering: .relaxed)
    }

    /// Opens series that another channel of the same source has open under the same numbers, so that what is kept
    /// by number is kept once; those that are not opened within six intervals, a minute at most, have ended.
    ///
    /// The other channel must not be used any more.
    public func inherit(from predecessor: SourceChannel) {
        let series = predecessor.state.withLock { $0.table.liveSeries + $0.past.unended }
        state.withLock { $0.past.inherit(series) }
    }

    /// The time that samples without one get, and that rates are between; nil: the clock's at each commit.
    ///
    /// Set by the worker around each call, to when that began: a source reads first and commits last.
    public func setTickTime(_ time: (wall: Timestamp, at: MonotonicInstant)?) {
        state.withLock { $0.tickTime = time }
    }

    /// From now on what is read within `span` of the commit before is not recorded in history.
    ///
    /// The last interval is cut short, by a stop or a reload. A rate over some milliseconds is mostly when each reading was
    /// made, and would stay in history as its maximum.
    func leaveOutOfHistory(within span: Nanoseconds) {
        state.withLock { $0.readings.leastRecorded = span }
    }

    /// The period of ticks that the plugin requested; zero: none.
    var tickPeriod: Nanoseconds { state.withLock { $0.tickPeriod } }

    /// The last points of at most `limit` open series that match, in the order of their numbers, all above `after`.
    ///
    /// `next` is the last number that was examined where there may be more.
    func lastPoints(
        _ query: SeriesQuery,
        after: SeriesID?,
        limit: Int
    ) -> (points: [SpooledPoint], next: SeriesID?) {
        guard query.source == nil || query.source == id else { return ([], nil) }
        let reported = state.withLock { $0.table.reported(above: after?.rawValue ?? 0) }
        // Sorting and filtering do not hold the source's lock.
        let asked = reported.sorted { $0.series.id.rawValue < $1.series.id.rawValue }.lazy
            .filter { query.passes($0.series) }.prefix(limit + 1)
        let chosen = Array(asked)
        let points = state.withLock { state in
            chosen.prefix(limit).compactMap { state.table.lastPoint(of: $0.handle) }
        }
        return (points, chosen.count > limit ? chosen[limit - 1].series.id : nil)
    }

    /// When the last samples were taken; nil: none were.
    var lastCommit: Timestamp? { state.withLock { $0.lastCommit } }

    /// What was rejected so far.
    public var rejections: RejectionCounts { reports.rejections }

    /// Writes one line to the agent's log.
    public func log(_ level: LogLevel, _ message: String) {
        eventLog.log(level, message, component: id)
    }

    /// Records a loss in the ledger.
    public func reportLoss(_ loss: Loss) {
        ledger.record(loss)
    }

    /// Reports that a part of the source fails while the rest works.
    public func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        reports.reportTrouble(error, since: since)
    }

    /// Reports that the part works again.
    public func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        reports.clearTrouble(code, optionPath: optionPath)
    }

    /// Opens a series; 0 when it is malformed, open with another kind or unit, or the bound is reached.
    public func openSeries(_ specification: SeriesSpecification) -> UInt64 {
        let answer = state.withLock { open(specification, &$0) }
        if !specification.meaning.isEmpty { meanings.learn(specification.name, specification.meaning) }
        noteIfUnknown(specification.name)
        switch answer {
        case .success(let handle): return handle
        case .failure(let refusal):
            reports.reject(.series, metric: specification.name, reason: refusal.rawValue)
            return 0
        }
    }

    private func open(_ specification: SeriesSpecification, _ state: inout State) -> Result<UInt64, SeriesRefusal> {
        if let known = state.table.handle(of: specification) { return known }
        guard isWellFormed(specification) else { return .failure(.malformed) }
        let own = specification.level ?? catalog[specification.name] ?? .core
        guard own <= collected else {
            // Sinks that have it learn that it has ended.
            let (series, isLive) = state.past.take(makeSeries(specification))
            if isLive { state.past.close(series, isLive: true) }
            return .success(Self.uncollected)
        }
        guard !state.table.isFull else { return .failure(.limit) }
        let (series, isLive) = state.past.take(makeSeries(specification))
        let isSent = own <= level && logs(specification.name)
        // Sinks had it at another level of the source: it ends for them.
        if isLive, !isSent { state.past.close(series, isLive: true) }
        return .success(state.table.open(specification, as: series, isLive: isLive && isSent, isSent: isSent))
    }

    /// Closes a series whose object is gone: the next commit sends its end to sinks.
    public func closeSeries(_ handle: UInt64) {
        let unsent: Series? = state.withLock { state in
            guard let (entry, isLive) = state.table.close(handle) else { return nil }
            state.readings.forget(entry)
            state.past.close(entry.series, isLive: isLive)
            return isLive ? nil : entry.series
        }
        guard let unsent, let updates, updates.isWatched else { return }
        updates.add([SpooledPoint(series: unsent, time: clock.wallTime, start: nil, value: .ended)])
    }

    /// The source is removed permanently: all its series have ended.
    public func endAllSeries() {
        let result = state.withLock { state in
            for handle in state.table.openHandles {
                guard let (entry, isLive) = state.table.close(handle) else { continue }
                state.past.close(entry.series, isLive: isLive)
            }
            state.past.endInherited()
            guard !state.past.ending.isEmpty else { return CommitResult.taken }
            return commit([], nil, wantsSnapshots: false, &state).0
        }
        guard result == .busy else { return }
        log(.warning, "there was no room to say that the series of this source have ended")
    }

    /// Takes samples atomically: all or nothing.
    public func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        let isClockRight = pipeline.isClockRight()
        let wantsSnapshots = pipeline.wantsSnapshots
        let (result, points, rejected) = state.withLock { state in
            for rejection in rejections { reject(rejection.series, rejection.reason, &state) }
            state.readings.isClockRight = isClockRight
            let (result, points) = commit(samples, checkpoint, wantsSnapshots: wantsSnapshots, &state)
            if result == .taken { state.lastCommit = clock.wallTime }
            defer { if !state.rejections.isEmpty { state.rejections = [:] } }
            return (result, points, state.rejections)
        }
        for (key, count) in rejected {
            reports.reject(key.subject, metric: key.metric, reason: key.reason, count: count)
        }
        if result == .taken { entry?.update { $0.take(samples: points, at: clock.monotonicTime) } }
        // A stream that is tried is reported when the trial is over, by its result.
        if isStream, entry?.current.isTried(at: clock.monotonicTime) != true { reportHealth() }
        guard result != .taken, !isHeld(checkpoint) else { return result }
        if points > 0 { lose(points, result) }
        // They are lost and reported: committed again, they would be counted again, and there would still be no room.
        return result == .busy ? .taken : result
    }

    private var isStream: Bool { holdsWhatIsRefused.load(ordering: .relaxed) }

    /// Whether the source commits again what is refused.
    private func isHeld(_ checkpoint: [UInt8]?) -> Bool { checkpoint != nil || isStream }

    /// Sends a snapshot to sinks that take them although nothing was read: the source began to fail, or works again.
    func sendSnapshot() {
        guard pipeline.wantsSnapshots, let snapshot = snapshot() else { return }
        _ = pipeline.submit([], documents: [snapshot.document])
    }

    /// The source has run: an occasion to report the agent's health without an extra wake-up.
    ///
    /// Its points have the time of the call under way, or that has just ended.
    func reportHealth() {
        guard let health else { return }
        health(at: state.withLock { $0.tickTime?.wall })
    }

    /// The last checkpoint that was committed and survived.
    public func loadCheckpoint() -> [UInt8]? {
        pipeline.checkpoint(of: id)
    }

    /// Requests ticks between collections.
    public func requestTick(every period: Nanoseconds) -> Bool {
        guard period == .zero || Self.tickRange.contains(period) else { return false }
        state.withLock { $0.tickPeriod = period }
        return true
    }

    private func commit(
        _ samples: [Sample],
        _ checkpoint: [UInt8]?,
        wantsSnapshots: Bool,
        _ state: inout State
    ) -> (CommitResult, points: Int) {
        let (wall, now) = state.tickTime ?? (clock.wallTime, clock.monotonicTime)
        // What a file says was before the clock went wrong is judged when that is right again.
        let isClockRight = state.readings.isClockRight
        let isShown = isRecorded || wantsSnapshots
        let latest = isClockRight ? pipeline.corrected(wall).advanced(by: ClockHold.farthestAhead) : .distantFuture
        var points: [SpooledPoint] = []
        points.reserveCapacity(samples.count)
        // Of what sinks do not get, for a reader that watches.
        var unsent: [SpooledPoint] = []
        let isWatched = updates?.isWatched ?? false
        var output = SeriesNormalizer.Output()
        for sample in samples {
            let time = sample.time ?? wall
            guard time.nanoseconds >= 0, time <= latest else {
                reject(sample.series, .impossibleTime, &state)
                continue
            }
            guard let place = state.table.normalize(sample, at: time, now, into: &output),
                let series = state.table.series(at: place)
            else {
                if sample.series != Self.uncollected { reject(sample.series, nil, &state) }
                continue
            }
            if isShown, let entry = state.table.shown(at: place) {
                state.readings.collect(output, of: entry, wall: wall, at: now)
            }
            let isSent = state.table.isSent(at: place, now)
            guard isSent || isWatched else { continue }
            let point = SpooledPoint(series: series, time: time, start: output.start, value: output.value)
            if isSent { points.append(point) } else { unsent.append(point) }
        }
        let count = points.count
        state.past.commitBegins(at: now)
        for series in state.past.ending {
            points.append(SpooledPoint(series: series, time: wall, start: nil, value: .ended))
        }
        // Also when the log refuses: what was read is shown nevertheless.
        let isNew = isShown && state.readings.commit(wall: wall, at: now)
        let documents = wantsSnapshots && isNew ? snapshot().map { [$0.document] } ?? [] : []
        let result = pipeline.submit(
            points,
            documents: documents,
            checkpoint: checkpoint.map { SpoolCheckpoint(source: id, bytes: $0) }
        )
        if isWatched {
            // What a source holds and commits again is shown when it is taken, and so are ends.
            let shown = result == .taken ? points.count : isHeld(checkpoint) ? 0 : count
            updates?.add(points.prefix(shown) + unsent)
        }
        if result == .taken {
            state.table.commitIsTaken()
            state.past.endsAreTaken()
        } else {
            state.table.commitIsRefused()
        }
        return (result, count)
    }

    /// `reason` nil: the series is not open, or the value does not fit it.
    private func reject(_ handle: UInt64, _ reason: SampleRejection.Reason?, _ state: inout State) {
        let series = state.table.series(of: handle)
        let reason = reason ?? (series == nil ? .noSeries : .wrongType)
        let key = RejectionCounts.Key(.sample, metric: series?.name ?? "", reason: reason.rawValue)
        state.rejections[key, default: 0] &+= 1
    }

    private func lose(_ points: Int, _ result: CommitResult) {
        let now = clock.wallTime
        let reason: LossReason = result == .busy ? .spoolFull : .agentStopping
        ledger.record(Loss(reason, component: id, from: now, to: now, count: UInt64(points)))
    }

    private func makeSeries(_ specification: SeriesSpecification) -> Series {
        Series(
            id: pipeline.makeSeriesID(),
            source: id,
            name: specification.name,
            kind: specification.kind,
            unit: UnitConversion(from: specification.unit).unit,
            attributes: specification.attributes,
            labels: labels
        )
    }

    private func isWellFormed(_ specification: SeriesSpecification) -> Bool {
        guard !specification.name.isEmpty, specification.name.utf8.count <= 255 else { return false }
        guard specification.attributes.count <= Self.attributeBound else { return false }
        let names = specification.attributes.map(\.name)
        return Set(names).count == names.count && !names.contains("")
    }

    private func noteIfUnknown(_ name: String) {
        // A source without a catalog may have any.
        guard !catalog.isEmpty, catalog[name] == nil else { return }
        let isNew = state.withLock { $0.noted.count < Self.notedBound && $0.noted.insert(name).inserted }
        guard isNew else { return }
        log(.info, "metric '\(name)' is not in the plugin's catalog; it is passed on as it is")
    }
}

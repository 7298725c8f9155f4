public import SondeDomain
internal import Synchronization

/// Reports the health of the agent, its sources and its sinks as points like those of any source, once per interval.
///
/// It has no thread and no timer: a source that has collected or failed calls it; without one, ``catchUp()`` reports.
/// May be called from any thread except one that must not wait for a disk.
public final class ReportHealth: Sendable {
    /// Data about the agent that changes rarely.
    public struct Facts: Hashable, Sendable {
        /// The version.
        public var version: String
        /// The digest of the configuration.
        public var configuration: String
        /// How many configurations were in force.
        public var generation: UInt64 = 1
        /// Whether it is stopping.
        public var isStopping = false

        /// An agent that starts.
        public init(version: String, configuration: String) {
            self.version = version
            self.configuration = configuration
        }
    }

    /// Its inputs and outputs.
    public struct Dependencies: Sendable {
        /// The status of sources and sinks.
        public var board: StatusBoard
        /// Where the points go.
        public var pipeline: Pipeline
        /// The losses.
        public var ledger: LossLedger
        /// Keeps a part of the points for 30 days; nil: they are not kept.
        public var history: RecordHistory?
        /// The descriptions of metrics.
        public var meanings: MetricMeanings
        /// Gets each point while a reader watches.
        public var updates: SeriesUpdates?
        /// The current resource usage of the process.
        public var process: @Sendable () -> ProcessFigures

        /// All inputs and outputs.
        public init(
            board: StatusBoard,
            pipeline: Pipeline,
            ledger: LossLedger,
            history: RecordHistory? = nil,
            meanings: MetricMeanings = MetricMeanings(),
            updates: SeriesUpdates? = nil,
            process: @escaping @Sendable () -> ProcessFigures
        ) {
            self.board = board
            self.pipeline = pipeline
            self.ledger = ledger
            self.history = history
            self.meanings = meanings
            self.updates = updates
            self.process = process
        }
    }

    private struct OpenSeries {
        let handle: UInt64
        var round: UInt64
    }

    private struct State {
        var facts: Facts
        var series: [HealthRow.Key: OpenSeries] = [:]
        var round: UInt64 = 0
        var losses = CounterTracker(start: nil, bits: nil)
        var time: Timestamp?
    }

    /// How long at least there was no report before one is made without an occasion.
    public static let longestSilence = Nanoseconds.seconds(30)

    private let agent: Dependencies
    private let clock: any Clock
    private let log: any EventLog
    private let started: (wall: Timestamp, at: MonotonicInstant)
    private let interval: Atomic<Int64>
    private let last: Atomic<Int64>
    private let isStopping = Atomic<Bool>(false)
    /// Where its points go.
    public let channel: SourceChannel
    /// What receivers have of them.
    public let sent = SentHealth()
    private let state: Mutex<State>

    /// A use case of an agent that starts with these settings.
    public init(
        _ facts: Facts,
        _ settings: AgentSettings,
        on agent: Dependencies,
        clock: any Clock,
        log: any EventLog
    ) {
        self.agent = agent
        self.clock = clock
        self.log = log
        started = (clock.wallTime, clock.monotonicTime)
        interval = Atomic(settings.interval.value)
        // The first occasion is used.
        last = Atomic(started.at.nanoseconds &- settings.interval.value)
        channel = SourceChannel(
            id: AgentCatalog.source, descriptor: AgentCatalog.descriptor, labels: [], host: nil,
            pipeline: agent.pipeline, ledger: agent.ledger, log: log, clock: clock, interval: settings.interval,
            logs: Self.isLogged,
            // A report of the agent does not change snapshots.
            listeners: .init(
                history: agent.history, meanings: agent.meanings, updates: agent.updates, snapshot: { nil }))
        state = Mutex(State(facts: facts))
    }

    /// How often it reports.
    public var period: Nanoseconds { Nanoseconds(interval.load(ordering: .relaxed)) }

    /// Whether the log has the metric.
    ///
    /// One that moves each time is there, so that sinks have a reason to deliver also while no source works.
    private static func isLogged(_ metric: String) -> Bool { metric == AgentMetric.processorTime.rawValue }

    /// Reports, if it is due, with the time of its collection; nil: with the wall clock's.
    public func callAsFunction(at time: Timestamp? = nil) {
        let now = clock.monotonicTime
        let interval = interval.load(ordering: .relaxed)
        // A collection may be a little early or late: the report does not wait for the next one.
        guard claim(now, after: interval - interval / 16) else { return }
        report(at: now, time)
    }

    /// Reports, if there was no occasion for long; returns when to check again.
    public func catchUp() -> MonotonicInstant {
        let now = clock.monotonicTime
        let silence = max(2 * interval.load(ordering: .relaxed), Self.longestSilence.value)
        if !isStopping.load(ordering: .relaxed), claim(now, after: silence) { report(at: now, nil) }
        return MonotonicInstant(nanoseconds: last.load(ordering: .relaxed) &+ silence)
    }

    /// The points of the newest report, which sinks get from here: they are in no log.
    ///
    /// None while the wall clock is suspect, nor of a report that is old, or was made before the clock was set.
    public var newest: [SpooledPoint] {
        guard !agent.pipeline.isClockSuspect, let time = state.withLock({ $0.time }) else { return [] }
        let age = clock.wallTime.nanoseconds.subtractingReportingOverflow(time.nanoseconds).partialValue.magnitude
        let longest = max(2 * interval.load(ordering: .relaxed), Self.longestSilence.value)
        guard age <= 2 * longest.magnitude else { return [] }
        let points = channel.lastPoints(SeriesQuery(), after: nil, limit: SourceChannel.seriesBound).points
        // A start may be from before the clock was set.
        return agent.pipeline.corrected(points.filter { !Self.isLogged($0.series.name) })
    }

    /// The agent stops: from now on every occasion is used, since each may be the last.
    public func stop() {
        isStopping.store(true, ordering: .relaxed)
        channel.leaveOutOfHistory(within: Nanoseconds(period.value / 2))
        state.withLock { $0.facts.isStopping = true }
    }

    /// Another configuration is in force.
    public func reconfigure(_ settings: AgentSettings, _ configuration: String) {
        interval.store(settings.interval.value, ordering: .relaxed)
        state.withLock { state in
            state.facts.generation &+= 1
            state.facts.configuration = configuration
        }
    }

    /// Whether the caller is the one that reports now.
    private func claim(_ now: MonotonicInstant, after span: Int64) -> Bool {
        guard !isStopping.load(ordering: .relaxed) else { return true }
        let seen = last.load(ordering: .relaxed)
        guard now.nanoseconds &- seen >= span else { return false }
        return last.compareExchange(expected: seen, desired: now.nanoseconds, ordering: .relaxed).exchanged
    }

    private func report(at now: MonotonicInstant, _ time: Timestamp?) {
        let process = agent.process()
        let instances = agent.board.instances
        let failures = agent.board.failuresOfAgent
        let remote = agent.board.remote
        let limits = agent.board.limitStatus
        state.withLock { state in
            var rows = HealthRows(at: now)
            rows.add(agent: state.facts, process, uptime: now.since(started.at))
            rows.add(agentFailures: failures)
            if let remote { rows.add(remote: remote) }
            if let limits { rows.add(limits) }
            for instance in instances { rows.add(instance.status, instance.backlog) }
            rows.addSchedule()
            let samples = samples(of: rows.rows, &state)
            endMissing(&state, reported: samples.count)
            let time = later(time ?? clock.wallTime, than: state.time)
            state.time = time
            channel.setTickTime((time, now))
            _ = channel.commit(samples, checkpoint: nil, rejections: [])
            recordLosses(&state, at: now)
        }
    }

    /// Times of reports always increase, also after a collection that took long: receivers refuse anything else.
    ///
    /// A clock that was set back by more than that is followed.
    private func later(_ time: Timestamp, than last: Timestamp?) -> Timestamp {
        guard let next = last?.advanced(by: .milliseconds(1)), time < next else { return time }
        return next.nanoseconds - time.nanoseconds < interval.load(ordering: .relaxed) ? next : time
    }

    private func samples(of rows: [HealthRow], _ state: inout State) -> [Sample] {
        state.round &+= 1
        return rows.map { row in
            let handle = state.series[row.key]?.handle ?? channel.openSeries(specification(of: row.key))
            state.series[row.key] = OpenSeries(handle: handle, round: state.round)
            return Sample(series: handle, value: row.value)
        }
    }

    /// Series without a value whose instance is gone end with this report.
    private func endMissing(_ state: inout State, reported: Int) {
        guard state.series.count > reported else { return }
        for (key, open) in state.series where open.round != state.round {
            channel.closeSeries(open.handle)
            state.series[key] = nil
        }
    }

    private func specification(of key: HealthRow.Key) -> SeriesSpecification {
        let definition = key.metric.definition
        var attributes: [Attribute] = []
        if !key.component.isEmpty { attributes.append(Attribute(AgentMetric.component, key.component)) }
        if let name = key.metric.part { attributes.append(Attribute(name, key.part)) }
        // Processor time was used before the agent began; all else counts from there.
        let isOwnCount = definition.kind == .counter && key.metric != .processorTime
        return SeriesSpecification(
            name: definition.name, kind: definition.kind, unit: definition.unit, attributes: attributes,
            start: isOwnCount ? started.wall : nil)
    }

    /// History needs the losses of every interval; the points of the ledger are sent only when there are some.
    private func recordLosses(_ state: inout State, at now: MonotonicInstant) {
        guard let history = agent.history, !agent.pipeline.isClockSuspect else { return }
        let wall = clock.wallTime
        let reading = state.losses.observe(.unsigned(agent.ledger.total), wall: wall, at: now)
        guard let rate = reading.rate else { return }
        history.take([
            .init(
                series: HistorySeries(.agentLosses, source: AgentCatalog.source), rank: .standard,
                observation: HistoryObservation(.held(rate, peak: nil), at: wall, held: reading.elapsed))
        ])
    }
}

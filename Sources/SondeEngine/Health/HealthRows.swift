internal import SondeDomain

/// One value of the agent's health.
struct HealthRow {
    /// Its key among the rows of a report.
    struct Key: Hashable {
        let metric: AgentMetric
        /// The source or sink; empty: the agent.
        let component: String
        /// The value of the attribute that the metric's series differ in; empty: there is none.
        let part: String
    }

    let key: Key
    let value: SampleValue
}

/// The rows of one report: what is known, and nothing else.
struct HealthRows {
    private(set) var rows: [HealthRow] = []
    private let now: MonotonicInstant
    private var latest: Nanoseconds?

    init(at now: MonotonicInstant) {
        self.now = now
        rows.reserveCapacity(64)
    }

    /// Adds what is known about the agent.
    mutating func add(agent facts: ReportHealth.Facts, _ process: ProcessFigures, uptime: Nanoseconds) {
        add(.build, part: facts.version, .unsigned(1))
        add(.uptime, .double(uptime.seconds))
        add(.generation, .unsigned(facts.generation))
        add(.configuration, part: facts.configuration, .unsigned(1))
        add(.stopping, .unsigned(facts.isStopping ? 1 : 0))
        if let seconds = process.userSeconds { add(.processorTime, part: "user", .double(seconds)) }
        if let seconds = process.systemSeconds { add(.processorTime, part: "system", .double(seconds)) }
        if let bytes = process.memory { add(.memory, .unsigned(bytes)) }
        if let count = process.descriptors { add(.descriptors, .unsigned(count)) }
        if let count = process.threads { add(.threads, .unsigned(count)) }
    }

    /// Adds the failures of the agent and its storage that last.
    mutating func add(agentFailures failures: [InstanceStatus.Failure]) {
        addTroubles(failures.filter { $0.ended == nil }, .agentTroubles)
    }

    /// Adds what is known about the remote configuration.
    mutating func add(remote status: RemoteStatus) {
        add(.remoteState, part: status.state.rawValue, .unsigned(1))
        if let serial = status.serial { add(.remoteSerial, .unsigned(serial)) }
        if let answer = status.lastAnswer { add(.remoteLag, .double(now.since(answer).seconds)) }
        let requests = status.requests
        add(.remoteRequests, part: "unchanged", .unsigned(requests.unchanged))
        add(.remoteRequests, part: "new", .unsigned(requests.new))
        add(.remoteRequests, part: "refused", .unsigned(requests.refused))
        add(.remoteRequests, part: "failed", .unsigned(requests.failed))
    }

    /// Adds what is used of the agent's limits.
    mutating func add(_ limits: LimitStatus) {
        add(.limitLevel, .unsigned(UInt64(clamping: limits.level)))
        if let limit = limits.limits.processors, let used = limits.processors, limit > 0 {
            add(.limitUtilization, part: LimitController.Cause.cpu.rawValue, .double(used / limit))
        }
        if let limit = limits.limits.memory, let used = limits.memory, limit > 0 {
            add(.limitUtilization, part: LimitController.Cause.memory.rawValue, .double(Double(used) / Double(limit)))
        }
    }

    /// Adds what is known about a source or sink.
    mutating func add(_ status: InstanceStatus, _ backlog: Backlog?) {
        switch status.kind {
        case .source: add(source: status)
        case .sink: add(sink: status, backlog)
        }
    }

    /// Adds the totals of all sources; after the last of them.
    mutating func addSchedule() {
        if let latest { add(.scheduleLag, .double(latest.seconds)) }
    }

    private mutating func add(source status: InstanceStatus) {
        let (id, collection) = (status.id, status.collection)
        addState(of: status, up: .sourceUp, state: .sourceState)
        addFailures(of: status, errors: .sourceErrors, troubles: .sourceTroubles)
        add(.collections, id, "failure", .unsigned(collection.failures))
        if !collection.isStream {
            add(.collections, id, "success", .unsigned(collection.collections))
            add(.collections, id, "missed", .unsigned(collection.missedTicks))
            add(.collectionTime, id, .double(collection.duration.seconds))
        }
        add(.samples, id, .unsigned(status.samples))
        if let success = status.lastSuccess { add(.sourceLag, id, .double(now.since(success).seconds)) }
        addRejections(of: status)
        if let late = collection.lateness { latest = max(latest ?? .zero, late) }
    }

    private mutating func add(sink status: InstanceStatus, _ backlog: Backlog?) {
        let (id, delivery) = (status.id, status.delivery)
        addState(of: status, up: .sinkUp, state: .sinkState)
        addFailures(of: status, errors: .sinkErrors, troubles: .sinkTroubles)
        add(.pointsSent, id, .unsigned(delivery.deliveredPoints))
        add(.pointsRejected, id, .unsigned(delivery.rejectedPoints))
        for (failureClass, count) in delivery.failedPoints {
            add(.pointsFailed, id, failureClass.name, .unsigned(count))
        }
        add(.retries, id, .unsigned(delivery.retries))
        add(.deadLetters, id, .unsigned(delivery.deadLetteredPoints))
        guard let backlog else { return }
        add(.queuePoints, id, .unsigned(UInt64(clamping: backlog.count)))
        add(.queueSize, id, .unsigned(UInt64(clamping: backlog.bytes)))
        let age = backlog.oldest.map { max(.zero, now.since($0)) } ?? .zero
        add(.queueAge, id, .double(age.seconds))
    }

    private mutating func addState(of status: InstanceStatus, up: AgentMetric, state: AgentMetric) {
        if let isUp = status.isUp { add(up, status.id, .unsigned(isUp ? 1 : 0)) }
        // A sink is idle and busy in turns all the time: at one report per interval that is one state.
        let word = status.state == .idle ? InstanceState.running : status.state
        add(state, status.id, word.rawValue, .unsigned(1))
    }

    private mutating func addFailures(of status: InstanceStatus, errors: AgentMetric, troubles: AgentMetric) {
        for (code, count) in status.errors.counts { add(errors, status.id, code, .unsigned(count)) }
        addTroubles(status.troubles, troubles, status.id)
    }

    private mutating func addTroubles(
        _ failures: [InstanceStatus.Failure],
        _ metric: AgentMetric,
        _ component: String = ""
    ) {
        guard !failures.isEmpty else { return }
        let codes = Dictionary(failures.map { ($0.error.code.text, 1 as UInt64) }, uniquingKeysWith: &+)
        for (code, count) in codes { add(metric, component, code, .unsigned(count)) }
    }

    private mutating func addRejections(of status: InstanceStatus) {
        let rejected = status.rejections.rows
        guard !rejected.isEmpty else { return }
        addReasons(of: rejected.filter { $0.key.subject == .sample }, .samplesLeftOut, status.id)
        addReasons(of: rejected.filter { $0.key.subject == .series }, .seriesRefused, status.id)
    }

    private mutating func addReasons(
        of rejected: [(key: RejectionCounts.Key, count: UInt64)],
        _ metric: AgentMetric,
        _ component: String
    ) {
        let reasons = Dictionary(rejected.map { ($0.key.reason, $0.count) }, uniquingKeysWith: &+)
        for (reason, count) in reasons { add(metric, component, reason, .unsigned(count)) }
    }

    private mutating func add(_ metric: AgentMetric, part: String = "", _ value: SampleValue) {
        add(metric, "", part, value)
    }

    private mutating func add(_ metric: AgentMetric, _ component: String, _ value: SampleValue) {
        add(metric, component, "", value)
    }

    private mutating func add(_ metric: AgentMetric, _ component: String, _ part: String, _ value: SampleValue) {
        rows.append(HealthRow(key: .init(metric: metric, component: component, part: part), value: value))
    }
}

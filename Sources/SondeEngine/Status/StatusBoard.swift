internal import SondeDomain
internal import Synchronization

/// The status of every instance and what waits for each sink.
///
/// Costs nothing until it is queried. May be called from any thread.
public final class StatusBoard: Sendable {
    /// What the agent was started with.
    public let facts: AgentFacts
    private let spool: any SpoolStore
    private let keep: KeepSpool?
    private let ledger: LossLedger
    private let clock: any Clock
    private let started: MonotonicInstant
    private let entries = Mutex<[StatusEntry]>([])
    private let order = Mutex<[String: Int]>([:])
    private let agent = Mutex<[@Sendable () -> [InstanceStatus.Failure]]>([])
    private let limits = Mutex<(@Sendable () -> LimitStatus)?>(nil)
    private let stores = Mutex<[@Sendable () -> [InstanceStatus.Failure]]>([])
    private let followed = Mutex<(@Sendable () -> RemoteStatus)?>(nil)

    /// A board of an agent that starts now; `keep` has the failures of the log's storage.
    public init(
        facts: AgentFacts,
        spool: any SpoolStore,
        keep: KeepSpool? = nil,
        ledger: LossLedger,
        clock: any Clock
    ) {
        self.facts = facts
        self.spool = spool
        self.keep = keep
        self.ledger = ledger
        self.clock = clock
        started = clock.monotonicTime
    }

    /// Adds an instance.
    public func add(id: String, plugin: String, kind: InstanceStatus.Kind) -> StatusEntry {
        let entry = StatusEntry(id: id, plugin: plugin, kind: kind, at: clock.monotonicTime)
        admit(entry)
        return entry
    }

    /// Shows an instance, replacing one of the same id.
    public func admit(_ entry: StatusEntry) {
        let id = entry.current.id
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.current.id == id }) else { return entries.append(entry) }
            entries[index] = entry
        }
    }

    /// Removes an instance.
    public func dismiss(_ entry: StatusEntry) {
        entries.withLock { $0.removeAll { $0 === entry } }
    }

    /// Shows instances in the order of these ids; others are last.
    public func arrange(_ ids: [String]) {
        order.withLock { $0 = Dictionary(ids.enumerated().map { ($1, $0) }) { first, _ in first } }
    }

    /// Adds failures of the agent itself.
    public func watch(agent failures: @escaping @Sendable () -> [InstanceStatus.Failure]) {
        agent.withLock { $0.append(failures) }
    }

    /// Adds failures of storage other than the log's.
    public func watch(storage failures: @escaping @Sendable () -> [InstanceStatus.Failure]) {
        stores.withLock { $0.append(failures) }
    }

    /// Shows the remote configuration.
    public func watch(remote status: @escaping @Sendable () -> RemoteStatus) {
        followed.withLock { $0 = status }
    }

    /// The remote configuration; nil: there is none.
    var remote: RemoteStatus? { followed.withLock { $0 }.map { $0() } }

    /// The sources and sinks in order; does not read the log.
    public var statuses: [InstanceStatus] { inOrder }

    /// Adds what the agent uses of its limits.
    public func watch(limits status: @escaping @Sendable () -> LimitStatus) {
        limits.withLock { $0 = status }
    }

    /// What the agent uses of its limits; nil: it has none.
    var limitStatus: LimitStatus? {
        let status = limits.withLock { $0 }
        return status?()
    }

    /// What may be broken at this instant; does not read the log.
    var troubles: (reading: ClockReading, agent: [InstanceStatus.Failure], instances: [InstanceStatus]) {
        (ClockReading(clock), failuresOfAgent, inOrder)
    }

    /// What is or was broken of the agent itself and its storage, the last row of each.
    var failuresOfAgent: [InstanceStatus.Failure] { agentFailures + storageFailures }

    // systemd ignores messages of more than 4 KiB, and with them that the agent is alive.
    private static let mostNamed = 8

    /// What works and what fails now, in one line of less than a kilobyte.
    public var line: String {
        let all = inOrder
        let failing = all.compactMap { each in each.worst.map { "\(each.id) (\($0.error.code))" } }
        let agent = failuresOfAgent.filter { $0.ended == nil }.map { "the agent (\($0.error.code))" }
        let works = "\(all.count - failing.count) of \(all.count) sources and sinks work"
        let fails = agent + failing
        guard !fails.isEmpty else { return works }
        let named = fails.prefix(Self.mostNamed).joined(separator: ", ")
        let more = fails.count > Self.mostNamed ? " and \(fails.count - Self.mostNamed) more" : ""
        return "\(works); failing: \(named)\(more)"
    }

    /// Whether an instance is held until a person acts.
    public func isHeld(_ id: String) -> Bool {
        entries.withLock { $0 }.map(\.current).contains { $0.id == id && $0.state == .held }
    }

    private var inOrder: [InstanceStatus] {
        let order = order.withLock { $0 }
        // The sort is stable: instances without a place keep the order in which they were added.
        return entries.withLock { $0 }.map(\.current)
            .sorted { (order[$0.id] ?? .max) < (order[$1.id] ?? .max) }
    }

    private var agentFailures: [InstanceStatus.Failure] { agent.withLock { $0 }.flatMap { $0() } }

    /// The sources in the order of the configuration, then the sinks.
    ///
    /// Reads each sink's backlog from the spool, which walks the log.
    var instances: [AgentStatus.Instance] {
        let all = inOrder
        let sources = all.filter { $0.kind == .source }.map { AgentStatus.Instance(status: $0, backlog: nil) }
        let sinks = all.filter { $0.kind == .sink }
            .map { AgentStatus.Instance(status: $0, backlog: spool.backlog(of: $0.id)) }
        return sources + sinks
    }

    /// Everything at this instant.
    public var status: AgentStatus {
        AgentStatus(
            facts: currentFacts,
            started: started,
            reading: ClockReading(clock),
            remote: remote,
            agentFailures: agentFailures,
            limits: limitStatus,
            storageFailures: storageFailures,
            instances: instances,
            losses: ledger.all
        )
    }

    // Memory may have taken over from a disk that failed.
    private var currentFacts: AgentFacts {
        var facts = facts
        facts.spool.epoch = spool.epoch
        if !spool.isDurable { facts.spool.kind = .memory }
        return facts
    }

    private var storageFailures: [InstanceStatus.Failure] {
        let start = facts.spool.failure.map { InstanceStatus.Failure(error: $0, since: started, last: started) }
        return (start.map { [$0] } ?? []) + (keep?.failures ?? []) + stores.withLock { $0 }.flatMap { $0() }
    }
}

internal import SondeDomain
internal import Synchronization

/// Knows what has become of every instance and what waits between them.
///
/// Costs nothing until it is asked. May be called from any thread.
public final class StatusBoard: Sendable {
    /// What does not change while the agent runs.
    public let facts: AgentFacts
    private let spool: any SpoolStore
    private let keep: KeepSpool?
    private let ledger: LossLedger
    private let clock: any Clock
    private let started: MonotonicInstant
    private let entries = Mutex<[StatusEntry]>([])
    private let stores = Mutex<[@Sendable () -> [InstanceStatus.Failure]]>([])

    /// A board of an agent that starts now; `keep` knows what fails on the log's storage.
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
        entries.withLock { $0.append(entry) }
        return entry
    }

    /// Adds what fails on storage beside the log's.
    public func watch(storage failures: @escaping @Sendable () -> [InstanceStatus.Failure]) {
        stores.withLock { $0.append(failures) }
    }

    /// What may be broken at this instant; looks at no log.
    var troubles: (reading: ClockReading, storage: [InstanceStatus.Failure], instances: [InstanceStatus]) {
        (ClockReading(clock), storageFailures, entries.withLock { $0 }.map(\.current))
    }

    /// Everything at this instant.
    ///
    /// Asks the spool for each sink's backlog, which walks the log.
    public var status: AgentStatus {
        let all = entries.withLock { $0 }.map(\.current)
        let sources = all.filter { $0.kind == .source }.map { AgentStatus.Instance(status: $0, backlog: nil) }
        let sinks = all.filter { $0.kind == .sink }
            .map { AgentStatus.Instance(status: $0, backlog: spool.backlog(of: $0.id)) }
        return AgentStatus(
            facts: facts,
            started: started,
            reading: ClockReading(clock),
            storageFailures: storageFailures,
            instances: sources + sinks,
            losses: ledger.all
        )
    }

    private var storageFailures: [InstanceStatus.Failure] {
        let start = facts.spool.failure.map { InstanceStatus.Failure(error: $0, since: started, last: started) }
        return (start.map { [$0] } ?? []) + (keep?.failures ?? []) + stores.withLock { $0 }.flatMap { $0() }
    }
}

public import SondeDomain

/// What the engine does for a sink instance.
public final class SinkChannel: SinkServices {
    /// The clocks.
    public let clock: any Clock
    private let id: String
    private let eventLog: any EventLog
    private let ledger: LossLedger
    private let meanings: MetricMeanings
    private let reports: InstanceReports

    /// A channel for the sink of that `id`, whose failing parts are published in `entry`.
    public init(
        id: String,
        clock: any Clock,
        log: any EventLog,
        ledger: LossLedger,
        meanings: MetricMeanings = MetricMeanings(),
        entry: StatusEntry? = nil
    ) {
        self.id = id
        self.clock = clock
        eventLog = log
        self.ledger = ledger
        self.meanings = meanings
        reports = InstanceReports(id: id, entry: entry, log: log, clock: clock)
    }

    /// Writes one line to the agent's log.
    public func log(_ level: LogLevel, _ message: String) {
        eventLog.log(level, message, component: id)
    }

    /// Records a loss in the ledger.
    public func reportLoss(_ loss: Loss) {
        ledger.record(loss)
    }

    /// Reports that a part of the sink fails while the rest works.
    public func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        reports.reportTrouble(error, since: since)
    }

    /// Reports that the part works again.
    public func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        reports.clearTrouble(code, optionPath: optionPath)
    }

    /// What a metric measures, in one sentence; empty when no source says.
    public func meaning(of metric: String) -> String {
        meanings.meaning(of: metric)
    }

    /// Counts a point that the receiver rejected from a batch.
    public func reject(pointOf metric: String, reason: String) {
        reports.reject(.point, metric: metric, reason: reason)
    }
}

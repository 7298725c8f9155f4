public import SondeDomain

/// What the engine does for a sink instance.
public final class SinkServices: PluginServices {
    /// The clocks.
    public let clock: any Clock
    private let id: String
    private let eventLog: any EventLog
    private let ledger: LossLedger

    /// Services for the sink of that `id`.
    public init(id: String, clock: any Clock, log: any EventLog, ledger: LossLedger) {
        self.id = id
        self.clock = clock
        eventLog = log
        self.ledger = ledger
    }

    /// Writes one line to the agent's log.
    public func log(_ level: LogLevel, _ message: String) {
        eventLog.log(level, message, component: id)
    }

    /// Enters a loss into the ledger.
    public func reportLoss(_ loss: Loss) {
        ledger.record(loss)
    }
}

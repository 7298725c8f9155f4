/// Makes the log safe and tells of what it has lost or what has failed on its storage.
///
/// Called from the engine's loop; takes as long as the disk does.
public struct KeepSpool {
    private let spool: any SpoolStore
    private let ledger: LossLedger
    private let log: any EventLog

    /// A use case for one log.
    public init(spool: any SpoolStore, ledger: LossLedger, log: any EventLog) {
        self.spool = spool
        self.ledger = ledger
        self.log = log
    }

    /// Makes everything appended so far safe, then tells.
    public func run() {
        spool.sync()
        report()
    }

    /// Enters losses into the ledger and failures into the agent's log.
    public func report() {
        for loss in spool.takeLosses() { ledger.record(loss) }
        for failure in spool.takeFailures() { log.log(.error, failure) }
    }
}

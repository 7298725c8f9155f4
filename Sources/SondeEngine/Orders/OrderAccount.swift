internal import SondeDomain

/// Counts the results of one sink's orders, and reports them.
struct OrderAccount {
    let sink: String
    let ledger: LossLedger
    let log: any EventLog
    let entry: StatusEntry?

    /// Records what was lost for a reason.
    func lose(_ count: UInt64, of times: [Timestamp], reason: LossReason) {
        guard count > 0 else { return }
        ledger.record(Loss(reason, component: sink, from: times.min(), to: times.max(), count: count))
    }

    /// Publishes that points were delivered once more.
    func replayed(_ points: UInt64) {
        entry?.update { $0.replayedPoints &+= points }
    }

    /// Reports an order that has ended.
    func ended(_ report: SinkOrderReport?) {
        guard let report else { return }
        let what: String
        switch report.order.work {
        case .purgeWaiting: what = "purge: \(report.points) points dropped"
        case .purgeDeadLetters: what = "purge: \(report.batches) dead letters with \(report.points) points removed"
        case .replayDeadLetters:
            what =
                "replay: \(report.points) points in \(report.batches) batches delivered, \(report.refused) batches not"
        }
        guard let failure = report.failure else { return log.log(.info, what, component: sink) }
        log.log(.warning, "\(what): \(failure.code) \(failure.message)", component: sink)
    }
}

internal import SondeDomain

/// Counts the results of one sink's batches, and publishes them.
///
/// Used from the sink's thread.
final class DeliveryAccount {
    /// The sink's figures so far.
    var status = DeliverBatches.Status()

    private let sink: String
    private let ledger: LossLedger
    private let clock: any Clock
    private let entry: StatusEntry?

    init(sink: String, ledger: LossLedger, clock: any Clock, entry: StatusEntry?) {
        self.sink = sink
        self.ledger = ledger
        self.clock = clock
        self.entry = entry
    }

    /// Records what a batch lost for a reason.
    func lose(_ count: UInt64, of times: [Timestamp], reason: LossReason) {
        guard count > 0 else { return }
        ledger.record(Loss(reason, component: sink, from: times.min(), to: times.max(), count: count))
    }

    /// Publishes the figures and the sink's new state.
    func publish(_ state: InstanceState, until wake: MonotonicInstant? = nil) {
        entry?.update {
            $0.delivery = status
            $0.enter(state, at: clock.monotonicTime, until: wake)
        }
    }

    /// Publishes that a sink that had nothing to do has begun a delivery.
    func begin() {
        entry?.update { $0.endRest(at: clock.monotonicTime) }
    }

    /// Publishes only the figures.
    func publish() {
        entry?.update { $0.delivery = status }
    }

    /// Publishes a failure.
    func fail(_ error: SondeError) {
        entry?.update { $0.fail(error, at: clock.monotonicTime) }
    }

    /// Publishes that a batch was accepted.
    func succeed() {
        entry?.update { $0.succeed(at: clock.monotonicTime) }
    }

    /// Publishes that what failed works again.
    func recover() {
        entry?.update { $0.recover(at: clock.monotonicTime) }
    }
}

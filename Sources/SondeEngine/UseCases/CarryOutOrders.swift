internal import SondeDomain

/// Executes the orders to one sink, on its thread and between its deliveries.
///
/// A purge runs before anything else, also while the sink backs off: it is the remedy for a queue that does
/// not drain. A replay waits until no live batch is due, or alternates with them.
public final class CarryOutOrders {
    /// The result of one step of a purge.
    struct Purged {
        /// The stretch that was dropped; nil: none in this step.
        let stretch: Stretch?
    }

    private struct LetterPurge {
        let order: SinkOrder
        let before: Timestamp?
        var names: ArraySlice<String>
    }

    private static let lettersAtOnce = 100

    private let orders: SinkOrders
    private let archive: (any DeadLetterArchive)?
    private let ledger: LossLedger
    private let clock: any Clock
    private let account: OrderAccount
    private let purging: PurgeWaiting
    private var replaying: ReplayBatches
    private var purges: [(order: SinkOrder, extent: PurgeWaiting.Extent)] = []
    private var letterPurges: [LetterPurge] = []
    private var owesTurn = false

    /// A use case for the orders of one sink.
    public init(
        settings: DeliverBatches.Settings,
        agent: String,
        orders: SinkOrders,
        spool: any SpoolStore,
        archive: (any DeadLetterArchive)?,
        ledger: LossLedger,
        clock: any Clock,
        log: any EventLog,
        random: any RandomNumberGenerator & Sendable,
        entry: StatusEntry? = nil
    ) {
        self.orders = orders
        self.archive = archive
        self.ledger = ledger
        self.clock = clock
        account = OrderAccount(sink: settings.id, ledger: ledger, log: log, entry: entry)
        purging = PurgeWaiting(settings, agent: agent, spool, ledger)
        replaying = ReplayBatches(
            settings, archive: archive, orders: orders, account: account, clock: clock, random: random)
    }

    /// Whether an order waits to begin.
    var isWaiting: Bool { orders.isWaiting }

    /// Begins new orders and does one step of a purge; nil: there is none.
    func purge(offered: Stretch?) -> Purged? {
        takeUp()
        if let purge = purges.first { return Purged(stretch: drop(purge.order, purge.extent, offered)) }
        guard !letterPurges.isEmpty else { return nil }
        removeLetters()
        return Purged(stretch: nil)
    }

    /// A live batch was delivered: a replay is next, if there is one.
    func liveDelivered() {
        owesTurn = true
    }

    /// Whether a replay precedes a live batch that is due.
    func hasTurn(at now: MonotonicInstant) -> Bool {
        owesTurn && isDue(at: now)
    }

    /// Offers one replayed batch; false: none is due.
    func replay(at now: MonotonicInstant, _ offer: ReplayBatches.Offer) -> Bool {
        guard isDue(at: now) else { return false }
        owesTurn = false
        replaying.offerNext(offer)
        return true
    }

    /// Sets the thread's timer to the next replay, unless something wakes it before.
    func wakeWhenDue(after now: MonotonicInstant) {
        guard let due = replaying.due, due > now else { return }
        orders.wake(at: due)
    }

    /// The thread ends: open orders are abandoned.
    func close() {
        orders.close()
    }

    private func isDue(at now: MonotonicInstant) -> Bool {
        replaying.due.map { $0 <= now } ?? false
    }

    private func takeUp() {
        while let order = orders.takeUp() {
            switch order.work {
            case .purgeWaiting(let before):
                purges.append((order, purging.extent(before: before, at: clock.monotonicTime)))
            case .purgeDeadLetters(let before):
                letterPurges.append(LetterPurge(order: order, before: before, names: (archive?.names ?? [])[...]))
            case .replayDeadLetters(let names): replaying.add(order, names)
            }
        }
    }

    /// The stretch that was dropped, if one was.
    private func drop(_ order: SinkOrder, _ extent: PurgeWaiting.Extent, _ offered: Stretch?) -> Stretch? {
        switch purging.dropPiece(of: extent, offered: offered) {
        case .dropped(let stretch, let count):
            orders.update(order.id) { $0.points &+= count }
            return stretch
        case .narrowed: return nil
        case .finished: end(order, .done)
        case .blocked:
            orders.update(order.id) {
                $0.failure = SondeError(order: .spoolWriteFailed, "the log could not be made safe; a part still waits")
            }
            end(order, .failed)
        }
        purges.removeFirst()
        return nil
    }

    private func removeLetters() {
        var purge = letterPurges[0]
        for name in purge.names.prefix(Self.lettersAtOnce) { remove(name, purge) }
        purge.names = purge.names.dropFirst(Self.lettersAtOnce)
        letterPurges[0] = purge
        guard purge.names.isEmpty else { return }
        letterPurges.removeFirst()
        end(purge.order, .done)
    }

    private func remove(_ name: String, _ purge: LetterPurge) {
        let heading = archive?.heading(of: name)
        if let before = purge.before {
            // A dead letter without a time may not be old.
            guard let newest = heading?.to ?? heading?.time, newest < before else { return }
        }
        guard archive?.remove(name) == true else { return }
        ledger.record(heading?.loss(.purged) ?? Loss(.purged, component: orders.sink))
        orders.update(purge.order.id) {
            $0.batches &+= 1
            $0.points &+= heading?.count ?? 0
        }
    }

    private func end(_ order: SinkOrder, _ state: SinkOrderReport.State) {
        orders.update(order.id) { $0.state = state }
        account.ended(orders.report(of: order.id))
    }
}

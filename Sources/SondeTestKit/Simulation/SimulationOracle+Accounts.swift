internal import SondeDomain
internal import SondeEngine

extension SimulationOracle {
    /// The accounts of one sink in ledger and log, in one run of the agent.
    struct Statement {
        /// Points that the log has lost.
        var lostByLog: UInt64
        /// Points that the log had lost when it was opened.
        var lostAtStart: UInt64
        /// Points that the receiver has not taken, or that could not be set aside.
        var lostByReceiver: UInt64
        var waiting: Int
        /// What the use case reports about its deliveries.
        var delivery: DeliverBatches.Status
        /// Points that the receiver took out.
        var rejected: UInt64
    }

    /// Taken = passed + lost + waiting, offered = delivered + refused, and nothing was passed over in silence.
    ///
    /// Held at every step of a simulation.
    func balance(_ sink: String, _ statement: Statement, isExact: Bool) {
        guard let account = sinks[sink], account.isDurable else { return }
        let owed = account.waitingAtStart + appendedInLife
        let accounted = account.passed + Int(clamping: statement.lostByLog) + statement.waiting
        let sum = "\(owed) owed, \(account.passed) passed, \(statement.lostByLog) lost, \(statement.waiting) wait"
        // A dropped segment may have held numbers that this sink was not to get: they are not reported for it.
        let mayDrop = plan.overflow == .dropOldest || statement.lostByLog > 0
        let unwanted = mayDrop ? max(0, account.unwantedAhead) : 0
        require(owed <= accounted + unwanted, "\(sink): points are gone without a word: \(sum)")
        require(!isExact || accounted <= owed + account.slack, "\(sink): more is accounted for than was taken: \(sum)")
        let reported =
            account.reportedBefore &+ statement.lostAtStart &+ statement.lostByLog &+ statement.lostByReceiver
        let delivery = statement.delivery
        let disposed = delivery.deliveredPoints &+ statement.rejected &+ delivery.refusedPoints
        require(
            disposed == account.offeredPoints,
            "\(sink): \(account.offeredPoints) points were offered and passed, \(delivery) and \(statement.rejected) say less"
        )
        require(delivery.deadLetteredPoints <= delivery.refusedPoints, "\(sink): more dead letters than refused points")
        guard account.checked != (account.missing.count, reported) else { return }
        sinks[sink]?.checked = (account.missing.count, reported)
        let missing = account.missing.count { points[$0].standing == .owed }
        require(
            missing <= Int(clamping: reported),
            "\(sink): \(missing) points were passed over, the ledger says \(reported), the first is \(firstMissing(account))"
        )
    }

    /// Everything has drained: what a sink has not got is in the ledger.
    func close(_ sink: String, _ statement: Statement) {
        guard var account = sinks[sink], account.isDurable else { return }
        for index in points.indices where isOwed(index, to: account) { account.missing.insert(index) }
        sinks[sink] = account
        balance(sink, statement, isExact: false)
        // Without a failing disk and without a power cut, only the bound may take anything from the log.
        let hasLost = account.logLostBefore &+ statement.lostAtStart &+ statement.lostByLog > 0
        let mayLose = diskHasFailed || powerWasCut || plan.overflow == .dropOldest || plan.diskFills
        require(!hasLost || mayLose, "\(sink): the log has lost points for no reason")
    }

    /// A life of the agent begins with so much waiting.
    func beginLife(of sink: String, waiting: Int) {
        sinks[sink]?.waitingAtStart = waiting
        sinks[sink]?.passed = 0
        sinks[sink]?.lastRead = 0
        sinks[sink]?.slack = 0
        let ahead = sinks[sink].map { unwanted(ahead: $0) } ?? 0
        sinks[sink]?.unwantedAhead = ahead
        sinks[sink]?.unwantedPassed = []
        sinks[sink]?.offeredPoints = 0
        sinks[sink]?.offer = nil
        sinks[sink]?.checked = (-1, 0)
    }

    /// How many numbers that a sink is not to get may still be before it: its last stretch may come again.
    private func unwanted(ahead account: SinkAccount) -> Int {
        let next = account.lastCut?.first ?? 0
        return points.indices.count { index in
            let point = points[index]
            return point.sequence >= next && indices[point.sequence] == index && !account.reads(point.content)
        }
    }

    /// A life of the agent is over; its ledger is all that is left of it.
    func endLife(of sink: String, reported: UInt64, byLog: UInt64) {
        sinks[sink]?.reportedBefore &+= reported
        sinks[sink]?.logLostBefore &+= byLog
    }

    private func firstMissing(_ account: SinkAccount) -> String {
        account.missing.filter { points[$0].standing == .owed }.min().map { "\(points[$0])" } ?? "none"
    }
}

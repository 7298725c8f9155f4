internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// What the control socket answers.
    func makeHandlers(_ agent: Agent) -> [any ControlHandler] {
        let (board, spool) = (agent.board, agent.access)
        var handlers: [any ControlHandler] = [
            PingHandler(), VersionHandler(version: Version.text), StatusHandler(board),
            SpoolStatusHandler(board), SpoolSegmentsHandler(spool), DeadLettersHandler(spool),
            SpoolShowHandler(spool), SpoolReplayHandler(spool), SpoolPurgeHandler(spool), SpoolOrderHandler(spool),
        ]
        let book = agent.snapshots.book
        let current = CurrentSnapshot(agent.snapshots.build, book: book, clock: clock)
        handlers.append(SnapshotHandler(current, book: book, clock: clock))
        handlers.append(RetryHandler(agent.snapshots.retry))
        if let record = agent.history?.record {
            handlers.append(HistoryHandler(record, clock: clock))
            handlers.append(ExportHandler(record, host: host, clock: clock))
        }
        return handlers
    }

    /// What knows the last hour of all sources.
    func makeSnapshots(_ board: StatusBoard) -> Snapshots {
        let book = SnapshotBook()
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: host, clock: clock)
        return Snapshots(book: book, build: build)
    }
}

internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// What the control socket answers.
    func makeHandlers(_ parts: SharedParts, _ reload: ReconfigureRequests) -> [any ControlHandler] {
        let (board, spool) = (parts.board, parts.access)
        var handlers: [any ControlHandler] = [
            PingHandler(), VersionHandler(version: Version.text), StatusHandler(board),
            SpoolStatusHandler(board), SpoolSegmentsHandler(spool), DeadLettersHandler(spool),
            SpoolShowHandler(spool), SpoolReplayHandler(spool), SpoolPurgeHandler(spool), SpoolOrderHandler(spool),
        ]
        let book = parts.snapshots.book
        let current = CurrentSnapshot(parts.snapshots.build, book: book, clock: clock)
        handlers.append(SnapshotHandler(current, book: book, clock: clock))
        handlers.append(RetryHandler(parts.snapshots.retry))
        handlers.append(ReloadHandler(reload, clock: clock))
        if let record = parts.record {
            handlers.append(HistoryHandler(record, clock: clock))
            handlers.append(ExportHandler(record, host: host, clock: clock))
        } else {
            handlers += ["history", "export"].map(NoHistoryHandler.init)
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

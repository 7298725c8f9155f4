internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// The requests to a running agent at `path`.
    func makeControlServer(
        at path: String,
        _ parts: SharedParts,
        _ reload: ReconfigureRequests
    ) -> ControlServer {
        let counts = ControlCounts()
        let book = parts.snapshots.book
        let current = CurrentSnapshot(parts.snapshots.build, book: book, clock: clock)
        let channels = parts.channels
        let list = ListSeries { channels.all }
        return ControlServer(
            path: path,
            group: configuration.agent.controlGroup,
            handlers: makeHandlers(parts, reload, current, counts) + [SeriesHandler(list)],
            feeds: [
                SnapshotFeed(current, book: book, counts: counts, clock: clock),
                SeriesFeed(list, channels.updates, counts: counts),
            ],
            counts: counts,
            clock: clock,
            log: log
        )
    }

    private func makeHandlers(
        _ parts: SharedParts,
        _ reload: ReconfigureRequests,
        _ current: CurrentSnapshot,
        _ counts: ControlCounts
    ) -> [any ControlHandler] {
        let (board, spool) = (parts.board, parts.access)
        var handlers: [any ControlHandler] = [
            PingHandler(), VersionHandler(version: Version.text), StatusHandler(board, counts),
            SpoolStatusHandler(board), SpoolSegmentsHandler(spool), DeadLettersHandler(spool),
            SpoolShowHandler(spool), SpoolReplayHandler(spool), SpoolPurgeHandler(spool), SpoolOrderHandler(spool),
        ]
        handlers += [SnapshotHandler(current), ListHandler(current)]
        handlers.append(RetryHandler(parts.snapshots.retry))
        handlers.append(ReloadHandler(reload, clock: clock))
        if let record = parts.record {
            handlers.append(HistoryHandler(record, clock: clock))
            handlers.append(ExportHandler(record, host: host, clock: clock))
            handlers.append(ChangesHandler(record, clock: clock))
        } else {
            handlers += ["history", "export", "changes"].map(NoHistoryHandler.init)
        }
        return handlers
    }

    /// The last hour of all sources.
    func makeSnapshots(_ board: StatusBoard) -> Snapshots {
        let book = SnapshotBook()
        let build = BuildSnapshot(
            book: book, failures: ListFailures(board: board), ledger: ledger, host: host, clock: clock)
        return Snapshots(book: book, build: build)
    }
}

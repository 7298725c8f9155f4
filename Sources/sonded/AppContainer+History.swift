internal import SondeDomain
internal import SondeEngine
internal import SondeGateways

extension AppContainer {
    /// What records the history; nil where no state is kept.
    func makeHistory(
        _ state: String?,
        _ board: StatusBoard,
        _ book: SnapshotBook
    ) throws(SondeError) -> History? {
        guard let state else { return nil }
        let maxBytes = DiskShares(configuration)?.history ?? configuration.agent.historyMaxBytes
        let store = SQLiteHistoryStore(path: "\(state)/history.db", maxBytes: maxBytes)
        let restore = RestoreSnapshots(
            store, into: book, sources: configuration.sources.map(\.id), clock: clock, log: log)
        let record = RecordHistory(
            store: store,
            clock: clock,
            log: log
        )
        board.watch(storage: { record.failures })
        let timer = try Timer()
        // The first access shows whether the history can be kept at all.
        timer.arm(at: clock.monotonicTime)
        let keeper = Housekeeping("history", timer: timer, clock: clock) {
            restore()
            return record.commit()
        }
        return History(record: record, keeper: keeper)
    }
}

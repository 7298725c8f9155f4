internal import Glibc
public import SondeDomain
public import SondeEngine
internal import SondePluginKit
internal import Synchronization

/// A history in a SQLite file, docs/spec/history.md.
///
/// The file is opened at the first call, and again at the first one after a failure. One that cannot be used because of
/// what is in it is set aside and a new one begun.
public final class SQLiteHistoryStore: HistoryStore {
    private struct State {
        var session: HistorySession?
        var failures: [SondeError] = []
        var damagedRows = 0
    }

    private let file: HistoryFile
    private let state = Mutex(State())

    /// The history in the file at `path`, with its log at most `maxBytes` long.
    public convenience init(path: String, maxBytes: Int64?) {
        self.init(path: path, size: HistorySize(bytes: maxBytes ?? HistorySize.standardBytes))
    }

    init(path: String, size: HistorySize, schema: HistorySchema = .current) {
        file = HistoryFile(path: path, size: size, schema: schema)
    }

    /// Adds steps to all tiers.
    public func append(_ additions: [HistoryAddition], at time: Timestamp) throws(SondeError) -> HistoryReceipt {
        try perform { (session) throws(HistoryFailure) in
            try translating { () throws(SQLiteFault) in
                guard try !session.isHeld() else { return nil }
                return try session.append(additions, at: time)
            }
        }
    }

    /// The steps of a series that are kept in a tier.
    public func steps(
        of series: HistorySeries,
        in tier: HistoryTier,
        _ range: Range<Int64>
    ) throws(SondeError) -> HistorySteps {
        try perform { (session) throws(HistoryFailure) in
            try translating { () throws(SQLiteFault) in try session.steps(of: series, in: tier, range) }
        }
    }

    /// What is kept.
    public func overview() throws(SondeError) -> HistoryOverview {
        try perform { (session) throws(HistoryFailure) in
            HistoryOverview(series: session.slots.all, lastCommit: session.lastCommit)
        }
    }

    /// What was found damaged and was got over.
    public func takeFailures() -> [SondeError] {
        state.withLock { state in
            defer { (state.failures, state.damagedRows) = ([], 0) }
            let damaged = state.damagedRows > 0 ? [HistoryFailure.damagedRows(state.damagedRows, file.path)] : []
            return state.failures + damaged
        }
    }

    /// Whether there is a file under the name of one that was set aside.
    public var hasSetAside: Bool { access(file.asidePath, F_OK) == 0 }

    /// Does `body` with an open file; nil from it: the log is held by a reader.
    private func perform<Result: Sendable>(
        _ body: (HistorySession) throws(HistoryFailure) -> Result?
    ) throws(SondeError) -> Result {
        try state.withLock { (state) throws(SondeError) -> Result in
            do throws(HistoryFailure) {
                do throws(HistoryFailure) {
                    return try attempt(body, &state)
                } catch {
                    guard error.setsAside else { throw error }
                    try setAside(error, &state)
                    return try attempt(body, &state)
                }
            } catch {
                // A failure that may not pass with the file open is tried again with a file that is opened again.
                if error != .held { state.session = nil }
                throw error.error(file.path)
            }
        }
    }

    private func attempt<Result: Sendable>(
        _ body: (HistorySession) throws(HistoryFailure) -> Result?,
        _ state: inout State
    ) throws(HistoryFailure) -> Result {
        let session = try opened(&state)
        let result = try body(session)
        state.damagedRows += session.takeDamagedRows()
        guard let result else { throw .held }
        return result
    }

    private func opened(_ state: inout State) throws(HistoryFailure) -> HistorySession {
        if let session = state.session {
            guard !file.isSame(session.identity) else { return session }
            state.session = nil
            let gone = HistoryFailure.unusable("it was removed or replaced while the agent ran; another one is used")
            state.failures.append(gone.error(file.path))
        }
        var reports: [SondeError] = []
        let connection = try file.openWithinBound { reports.append($0) }
        state.failures += reports
        let units = file.size.units
        let identity = FileIdentity(at: file.path)
        let session = try translating { () throws(SQLiteFault) in
            try HistorySession(connection, identity, units: units)
        }
        state.session = session
        return session
    }

    private func setAside(_ failure: HistoryFailure, _ state: inout State) throws(HistoryFailure) {
        state.session = nil
        try file.setAside()
        state.failures.append(failure.error(file.path))
    }
}

/// What a failure of SQLite means for the history.
private func translating<Result>(_ body: () throws(SQLiteFault) -> Result) throws(HistoryFailure) -> Result {
    do throws(SQLiteFault) {
        return try body()
    } catch {
        throw HistoryFailure(error)
    }
}

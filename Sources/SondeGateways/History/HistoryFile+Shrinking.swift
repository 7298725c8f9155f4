internal import Glibc
internal import SondeDomain

extension HistoryFile {
    /// Opens the file, after it was made smaller where the bound was lowered; `report` gets that.
    ///
    /// Where that cannot be, the file is used as it is, and `report` gets the reason.
    func openWithinBound(_ report: (SondeError) -> Void) throws(HistoryFailure) -> SQLiteConnection {
        if let shrinking = try excess() {
            do throws(HistoryFailure) {
                try replace(shrinking)
                if shrinking.refusedCount > 0 { report(HistoryFailure.shrunk(shrinking, path)) }
            } catch {
                for suffix in ["", "-journal"] { unlink(draftPath + suffix) }
                report(error.error(keeping: path))
            }
        }
        return try open()
    }

    private func excess() throws(HistoryFailure) -> HistoryShrinking? {
        let connection = try open()
        let size = size
        return try Self.translating { () throws(SQLiteFault) in try HistoryShrinking(connection, size) }
    }

    private func replace(_ shrinking: HistoryShrinking) throws(HistoryFailure) {
        try emptyLog()
        try makeDraft(shrinking)
        // Everything of them is in the file: the copy must not find a log that is not its own.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        guard rename(draftPath, path) == 0 else {
            throw .unusable("'\(draftPath)' cannot be renamed: \(String(cString: strerror(errno)))")
        }
    }

    private func emptyLog() throws(HistoryFailure) {
        let connection = try open()
        let isEmpty = try Self.translating { () throws(SQLiteFault) in try connection.emptyLog() }
        guard isEmpty else { throw .held }
    }
}

extension HistoryFailure {
    /// The file was made smaller, and series were dropped.
    fileprivate static func shrunk(_ shrinking: HistoryShrinking, _ path: String) -> SondeError {
        tooLarge(
            "the history '\(path)' was made smaller to fit agent.history.max_bytes: \(shrinking.refusedCount) series were dropped, "
                + "\(shrinking.kept.all.count) were kept")
    }

    /// The file could not be made smaller.
    fileprivate func error(keeping path: String) -> SondeError {
        Self.tooLarge(
            "the history is larger than agent.history.max_bytes and could not be made smaller: \(error(path).message)")
    }
}

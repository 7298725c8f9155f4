internal import CSQLite
internal import Glibc
internal import SondeDomain
internal import SondePluginKit

/// The file of a history: looked at before SQLite touches it, made whole before it has its name.
struct HistoryFile {
    private static let headerBytes = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    let path: String
    let size: HistorySize
    let schema: HistorySchema

    /// Where a file goes that cannot be used.
    var asidePath: String { path + ".set-aside" }

    /// Where a file is made before it has its name.
    var draftPath: String { path + ".new" }

    /// Opens the file for writing, after it was made or brought to this version where that is needed.
    func open() throws(HistoryFailure) -> SQLiteConnection {
        if try isMissing() { try create() }
        try inspect()
        let connection = try Self.translating { () throws(SQLiteFault) in
            let connection = try SQLiteConnection(path: path, .write)
            connection.wait(milliseconds: 2_000)
            try configure(connection)
            return connection
        }
        try migrate(connection)
        try checkTables(connection)
        return connection
    }

    /// Gives the file another name, in the place of one that was set aside before, so that a new one can be begun.
    func setAside() throws(HistoryFailure) {
        // The log belongs to the file: without it the file would be another one.
        for suffix in ["-wal", "-shm", ""] {
            unlink(asidePath + suffix)
            guard rename(path + suffix, asidePath + suffix) == 0 || errno == ENOENT else {
                throw .unusable("it cannot be set aside: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Whether the file that was opened still has the name.
    func isSame(_ identity: FileIdentity?) -> Bool { FileIdentity(at: path) == identity }

    private func isMissing() throws(HistoryFailure) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        guard errno == ENOENT else { throw .unusable(String(cString: strerror(errno))) }
        return true
    }

    /// Makes the file under another name first: what has the name is always whole.
    private func create() throws(HistoryFailure) {
        // A log that a file of this name has left would be taken for that of the new one.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        try makeDraft(nil)
        guard rename(draftPath, path) == 0 else {
            throw .unusable("'\(draftPath)' cannot be renamed: \(String(cString: strerror(errno)))")
        }
    }

    /// Makes an empty file that has no name yet, or the copy of a part of the one that has.
    func makeDraft(_ content: HistoryShrinking?) throws(HistoryFailure) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(draftPath + suffix) }
        try Self.translating { () throws(SQLiteFault) in try fill(content) }
    }

    private func fill(_ content: HistoryShrinking?) throws(SQLiteFault) {
        let connection = try SQLiteConnection(path: draftPath, .create)
        chmod(draftPath, 0o640)
        try connection.run("PRAGMA page_size = \(HistorySize.pageBytes)")
        try connection.run("PRAGMA application_id = \(HistorySchema.applicationID)")
        let schema = schema
        try connection.transaction { () throws(SQLiteFault) in
            for statement in schema.creation { try connection.run(statement) }
            try connection.run("PRAGMA user_version = \(schema.version)")
        }
        try content?.copy(from: path, to: connection)
        // At last: what was written so far is only in the file.
        _ = try connection.text("PRAGMA journal_mode = WAL")
    }

    /// Recognizes files that are no history, without SQLite: it takes a file of one byte for an empty one.
    private func inspect() throws(HistoryFailure) {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unusable(String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unusable(String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unusable("it is not a file") }
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        let count = pread(descriptor, &header, header.count, 0)
        guard count >= 0 else { throw .failing(String(cString: strerror(errno))) }
        guard count == header.count, header.starts(with: Self.magic) else {
            // Its origin is unknown: the name is the agent's, and the agent gives it to whole files only.
            throw .damaged(count == 0 ? "it is empty" : "it does not begin as a SQLite file does")
        }
        // sqlite.org/fileformat2.html: 18 and 19 are the versions to write and read, 44 the form of the schema, 68 whose file it
        // is. What SQLite cannot read for one of the first three is SQLITE_ERROR or read-only to it.
        guard header[18] <= 2, header[19] <= 2, header[44..<47].allSatisfy({ $0 == 0 }), header[47] <= 4 else {
            throw .damaged("its header names a form that there is not")
        }
        let owner = header[68..<72].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard owner == UInt32(bitPattern: HistorySchema.applicationID) else {
            throw .foreign("it is the SQLite file of another program")
        }
    }

    private func configure(_ connection: SQLiteConnection) throws(SQLiteFault) {
        // 256 KiB of pages: a commit touches few, and memory is what the agent is short of.
        try connection.run("PRAGMA cache_size = -256")
        try connection.run("PRAGMA synchronous = NORMAL")
        try connection.run("PRAGMA temp_store = MEMORY")
        try connection.run("PRAGMA trusted_schema = OFF")
        try connection.run("PRAGMA cell_size_check = ON")
        let mode = try connection.text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw SQLiteFault(
                code: SQLITE_CANTOPEN, message: "its journal mode is '\(mode ?? "")' and not 'wal'", systemCode: 0)
        }
        connection.takeOverLog()
        // It is never less than what the file has.
        try connection.run("PRAGMA max_page_count = \(size.pages)")
    }

    private func migrate(_ connection: SQLiteConnection) throws(HistoryFailure) {
        let schema = schema
        let found = try Self.translating { () throws(SQLiteFault) in try connection.number("PRAGMA user_version") ?? 0 }
        guard found <= schema.version else {
            throw .newer("it is of version \(found), and this agent knows \(schema.version)")
        }
        guard found > 0 else { throw .damaged("it has no version") }
        guard found < schema.version else { return }
        try Self.translating { () throws(SQLiteFault) in
            try connection.transaction { () throws(SQLiteFault) in
                for version in found..<schema.version {
                    for statement in schema.migrations[version] ?? [] { try connection.run(statement) }
                }
                try connection.run("PRAGMA user_version = \(schema.version)")
            }
        }
    }

    /// Missing or misspelled tables would show as SQLITE_ERROR, which may be anything.
    private func checkTables(_ connection: SQLiteConnection) throws(HistoryFailure) {
        var found: [String: String] = [:]
        try Self.translating { () throws(SQLiteFault) in
            let statement = try connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
            while try statement.step() {
                if let name = statement.text(0) { found[name] = statement.text(1) ?? "" }
            }
        }
        let wrong = schema.tables.filter { found[$0.key] != $0.value }.keys.sorted()
        guard wrong.isEmpty else { throw .damaged("it has no table as it should be: \(wrong.joined(separator: ", "))") }
    }

    static func translating<Result>(
        _ body: () throws(SQLiteFault) -> Result
    ) throws(HistoryFailure) -> Result {
        do throws(SQLiteFault) {
            return try body()
        } catch {
            throw HistoryFailure(error)
        }
    }
}

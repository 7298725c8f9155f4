internal import CSQLite

/// Why SQLite did not do what it was asked.
struct SQLiteFault: Error, Hashable {
    /// The extended result code.
    let code: Int32
    /// SQLite's words.
    let message: String
    /// The system's errno, where the system failed; 0 otherwise.
    let systemCode: Int32

    /// The kind of failure, without its details.
    var kind: Int32 { code & 0xff }
}

/// One connection to a database, for one thread at a time.
final class SQLiteConnection {
    /// What a connection may do.
    enum Access {
        /// Read and write a file that exists.
        case write
        /// Make the file where it is missing.
        case create
        /// Only read.
        case read

        fileprivate var flags: Int32 {
            switch self {
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .read: SQLITE_OPEN_READONLY
            }
        }
    }

    private let handle: OpaquePointer
    // Allocated separately, since SQLite keeps the pointer; freed after the connection is closed.
    private let frames: UnsafeMutablePointer<Int32>

    /// Opens a file.
    init(path: String, _ access: Access) throws(SQLiteFault) {
        var handle: OpaquePointer?
        // The caller uses a connection from one thread at a time.
        let code = sqlite3_open_v2(path, &handle, access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle, code == SQLITE_OK else {
            let fault = handle.map { Self.fault(of: $0, code) }
            // Also after a failure there is something to close.
            sqlite3_close_v2(handle)
            throw fault ?? SQLiteFault(code: code, message: "out of memory", systemCode: 0)
        }
        self.handle = handle
        frames = .allocate(capacity: 1)
        frames.initialize(to: 0)
    }

    deinit {
        sqlite3_close_v2(handle)
        frames.deallocate()
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How many frames the write-ahead log had after the last commit of this connection.
    var logFrames: Int { Int(frames.pointee) }

    /// Leaves it to the caller to empty the write-ahead log, and counts its frames instead.
    func takeOverLog() {
        sqlite3_wal_hook(
            handle,
            { context, _, _, count in
                context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, frames)
    }

    /// Brings what is in the write-ahead log into the file, as far as no reader needs the old; whether all of it.
    func emptyLog() throws(SQLiteFault) -> Bool {
        var (all, done): (Int32, Int32) = (0, 0)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &done)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw fault(code) }
        // All of it: the next commit begins the log again.
        frames.pointee = code == SQLITE_OK && all == done ? 0 : max(frames.pointee, all)
        return code == SQLITE_OK && all == done
    }

    /// Waits for others that hold a lock.
    func wait(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Runs a statement and ignores its rows.
    func run(_ text: String) throws(SQLiteFault) {
        let statement = try prepare(text)
        while try statement.step() {}
    }

    /// The first column of the first row as a number.
    func number(_ text: String) throws(SQLiteFault) -> Int64? {
        let statement = try prepare(text)
        return try statement.step() ? statement.number(0) : nil
    }

    /// The first column of the first row as a text.
    func text(_ text: String) throws(SQLiteFault) -> String? {
        let statement = try prepare(text)
        return try statement.step() ? statement.text(0) : nil
    }

    /// Compiles a statement, to be run many times.
    func prepare(_ text: String) throws(SQLiteFault) -> SQLiteStatement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw fault(code) }
        return SQLiteStatement(statement, of: self)
    }

    /// Does all of `body`, or nothing.
    func transaction(_ body: () throws(SQLiteFault) -> Void) throws(SQLiteFault) {
        try run("BEGIN IMMEDIATE")
        do throws(SQLiteFault) {
            try body()
            try run("COMMIT")
        } catch {
            // Some failures have rolled back already; a rollback that fails leaves nothing to be done either.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    /// What a result code of this connection means.
    func fault(_ code: Int32) -> SQLiteFault { Self.fault(of: handle, code) }

    private static func fault(of handle: OpaquePointer, _ code: Int32) -> SQLiteFault {
        let system: Set<Int32> = [SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL]
        return SQLiteFault(
            code: code,
            message: String(cString: sqlite3_errmsg(handle)),
            systemCode: system.contains(code & 0xff) ? sqlite3_system_errno(handle) : 0
        )
    }
}

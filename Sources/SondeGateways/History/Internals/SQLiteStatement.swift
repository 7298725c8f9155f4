internal import CSQLite

/// A compiled statement of a connection, which lives as long as it.
final class SQLiteStatement {
    // SQLITE_TRANSIENT: SQLite copies what it is given. The C macro is a cast that Swift does not import.
    private static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ handle: OpaquePointer, of connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Begins again with these values for the parameters, from the first on.
    func bind(_ values: [SQLiteValue]) throws(SQLiteFault) {
        sqlite3_reset(handle)
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(truncatingIfNeeded: index &+ 1))
            guard code == SQLITE_OK else { throw connection.fault(code) }
        }
    }

    /// Steps to the next row; false: there is none, and the statement may be bound again.
    func step() throws(SQLiteFault) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        let fault = code == SQLITE_DONE ? nil : connection.fault(code)
        // A statement that rests holds no lock.
        sqlite3_reset(handle)
        if let fault { throw fault }
        return false
    }

    /// Runs to the end.
    func run(_ values: [SQLiteValue]) throws(SQLiteFault) {
        try bind(values)
        while try step() {}
    }

    /// A column of the row as a number; 0 for anything else.
    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    /// A column of the row as a text; nil: it is null.
    func text(_ column: Int32) -> String? {
        sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    /// Gives the bytes of a column of the row to `body`.
    func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = sqlite3_column_blob(handle, column)
        let count = max(0, Int(sqlite3_column_bytes(handle, column)))
        return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func bind(_ value: SQLiteValue, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .number(let number): sqlite3_bind_int64(handle, index, number)
        case .text(let text): sqlite3_bind_text(handle, index, text, -1, Self.copies)
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), Self.copies)
            }
        }
    }
}

/// A value for a parameter of a statement.
enum SQLiteValue {
    case null
    case number(Int64)
    case text(String)
    case bytes([UInt8])
}

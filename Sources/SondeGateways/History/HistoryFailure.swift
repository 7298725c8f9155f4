internal import CSQLite
internal import Glibc
internal import SondeDomain

/// What a failure of the file means for the history.
enum HistoryFailure: Error, Hashable {
    /// The file cannot be used as it is; it stays where it is.
    case unusable(String)
    /// The file system has no room.
    case full(String)
    /// The disk or the lock failed for now.
    case failing(String)
    /// The file is damaged: it has to be set aside.
    case damaged(String)
    /// The file is not the agent's: it has to be set aside.
    case foreign(String)
    /// The file is of a later version: it has to be set aside.
    case newer(String)
    /// A reader stays for so long that the log cannot be emptied.
    case held

    /// What SQLite's failure means.
    ///
    /// SQLITE_ERROR and everything that is not known may be our defect or pass: a good file is never set aside for it.
    init(_ fault: SQLiteFault) {
        let text =
            fault.systemCode == 0 ? fault.message : "\(fault.message): \(String(cString: strerror(fault.systemCode)))"
        let isOutOfRoom = [ENOSPC, EDQUOT].contains(fault.systemCode)
        switch fault.kind {
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged(text)
        case SQLITE_FULL: self = .full(text)
        case SQLITE_IOERR where isOutOfRoom: self = .full(text)
        case SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_PROTOCOL, SQLITE_INTERRUPT:
            self = .failing(text)
        default: self = .unusable(text)
        }
    }

    /// Whether the file is replaced by a new one.
    var setsAside: Bool {
        switch self {
        case .damaged, .foreign, .newer: true
        case .unusable, .full, .failing, .held: false
        }
    }

    /// As an error of the agent.
    func error(_ path: String) -> SondeError {
        switch self {
        case .unusable(let text):
            Self.error(.historyUnusable, .unsafeStorage, "the history '\(path)' cannot be used: \(text)")
        case .full(let text):
            Self.error(.historyFull, .resource, "there is no room for the history '\(path)': \(text)")
        case .failing(let text):
            Self.error(.historyWriteFailed, .transient, "the history '\(path)' could not be read or written: \(text)")
        case .damaged(let text):
            Self.error(.historyDamaged, .corruptInput, "the history '\(path)' was damaged and set aside: \(text)")
        case .foreign(let text):
            Self.error(.historyForeign, .corruptInput, "'\(path)' was not the agent's and was set aside: \(text)")
        case .newer(let text):
            Self.error(.historyNewer, .corruptInput, "the history '\(path)' was set aside: \(text)")
        case .held:
            Self.error(
                .historyHeld, .transient,
                "a reader has held the history '\(path)' for long: nothing is written until that ends")
        }
    }

    /// An error for rows that were left out.
    static func damagedRows(_ count: Int, _ path: String) -> SondeError {
        error(
            .historyRowDamaged, .corruptInput,
            count == 1
                ? "a row of the history '\(path)' does not bear its checksum; its steps are absent"
                : "\(count) rows of the history '\(path)' do not bear their checksum; their steps are absent")
    }

    /// An error about a file that is larger than its bound.
    static func tooLarge(_ message: String) -> SondeError { error(.historyTooLarge, .resource, message) }

    /// What an agent without a state directory answers.
    static let off = error(.historyOff, .configuration, "this agent keeps no history: it has no state directory")

    private static func error(_ code: ErrorCode, _ failureClass: FailureClass, _ message: String) -> SondeError {
        let advice = ErrorDefinition.history.first { $0.code == code }?.recovery
        return SondeError(
            code, stage: .history, class: failureClass, message: message,
            recovery: advice.map { [.advise($0)] } ?? [])
    }
}

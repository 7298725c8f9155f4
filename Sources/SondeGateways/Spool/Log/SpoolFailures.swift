internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// Failures of the storage that wait to be reported; one that lasts is reported once.
///
/// May be called from any thread, and never waits for the disk.
final class SpoolFailures: Sendable {
    private struct State {
        var waiting: [SondeError] = []
        var ongoing: Set<ErrorCode> = []
    }

    private static let bound = 64

    private let directory: String
    private let state = Mutex(State())

    init(directory: String) {
        self.directory = directory
    }

    /// Whether nothing waits and no failure lasts.
    var areOver: Bool { state.withLock { $0.waiting.isEmpty && $0.ongoing.isEmpty } }

    /// Whether the file system has no room.
    var isFull: Bool { state.withLock { $0.ongoing.contains(.spoolFull) } }

    /// Takes what waits.
    func take() -> [SondeError] {
        state.withLock { state in
            defer { state.waiting.removeAll() }
            return state.waiting
        }
    }

    /// A write succeeded again.
    func recovered() {
        state.withLock { if !$0.ongoing.isEmpty { $0.ongoing.removeAll() } }
    }

    /// The operation of one kind of failure succeeded again.
    func recovered(from code: ErrorCode) {
        state.withLock { _ = $0.ongoing.remove(code) }
    }

    /// Notes a failed call; while the failure lasts, only the first is reported.
    func note(_ error: FileSystemError, _ what: String) {
        // A disk that fails is not merely full.
        if !error.isOutOfSpace { recovered(from: .spoolFull) }
        noteLasting(error.isOutOfSpace ? .spoolFull : .spoolWriteFailed, "\(what): \(error.text)")
    }

    /// Notes that the free space is too little, or reserved; while that lasts, it is reported once.
    func noteFull(available: Int64, wanted: Int64) {
        let isLeft = available >= wanted
        let rest = "the rest of its file system is left to others (agent.spool.min_free)"
        noteLasting(
            .spoolFull, isLeft ? rest : "its file system has no room left: \(available) bytes, \(wanted) are wanted")
    }

    /// Notes an event.
    func note(_ code: ErrorCode, _ what: String) {
        let error = SondeError.spool(code, "the spool '\(directory)': \(what)")
        state.withLock { if $0.waiting.count < Self.bound { $0.waiting.append(error) } }
    }

    private func noteLasting(_ code: ErrorCode, _ what: @autoclosure () -> String) {
        if state.withLock({ $0.ongoing.insert(code).inserted }) { note(code, what()) }
    }
}

extension SondeError {
    /// A failure of the spool, with the class and recovery of its definition.
    static func spool(_ code: ErrorCode, _ message: String) -> SondeError {
        SondeError(defined: code, stage: .pipeline, message)
    }
}

extension FileSystemError {
    /// The call and the system's message: `pwrite: No space left on device`.
    var text: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}

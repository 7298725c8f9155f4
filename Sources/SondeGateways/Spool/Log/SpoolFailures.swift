internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// Whether the file system has no room, readable while the log waits for the disk.
final class Fullness: Sendable {
    private let flag = Atomic<Bool>(false)

    var isFull: Bool {
        get { flag.load(ordering: .relaxed) }
        set { flag.store(newValue, ordering: .relaxed) }
    }
}

/// Failures of the storage that wait to be reported; one that lasts is reported once.
struct SpoolFailures {
    private static let bound = 64

    private let directory: String
    private var waiting: [SondeError] = []
    private var ongoing: Set<ErrorCode> = [] {
        didSet { fullness.isFull = ongoing.contains(.spoolFull) }
    }
    /// The published lack of room.
    let fullness = Fullness()

    init(directory: String) {
        self.directory = directory
    }

    /// Whether nothing waits and no failure lasts.
    var areOver: Bool { waiting.isEmpty && ongoing.isEmpty }

    /// Takes what waits.
    mutating func take() -> [SondeError] {
        defer { waiting.removeAll() }
        return waiting
    }

    /// A write succeeded again.
    mutating func recovered() {
        if !ongoing.isEmpty { ongoing.removeAll() }
    }

    /// The operation of one kind of failure succeeded again.
    mutating func recovered(from code: ErrorCode) {
        if ongoing.contains(code) { ongoing.remove(code) }
    }

    /// Notes a failed call; while the failure lasts, only the first is reported.
    mutating func note(_ error: FileSystemError, _ what: String) {
        let code: ErrorCode = error.isOutOfSpace ? .spoolFull : .spoolWriteFailed
        // A disk that fails is not merely full.
        if !error.isOutOfSpace { recovered(from: .spoolFull) }
        guard ongoing.insert(code).inserted else { return }
        note(code, "\(what): \(error.text)")
    }

    /// Notes that the free space is too little, or reserved; while that lasts, it is reported once.
    mutating func noteFull(available: Int64, wanted: Int64) {
        guard ongoing.insert(.spoolFull).inserted else { return }
        let isLeft = available >= wanted
        let rest = "the rest of its file system is left to others (agent.spool.min_free)"
        note(.spoolFull, isLeft ? rest : "its file system has no room left: \(available) bytes, \(wanted) are wanted")
    }

    /// Notes an event.
    mutating func note(_ code: ErrorCode, _ what: String) {
        guard waiting.count < Self.bound else { return }
        waiting.append(.spool(code, "the spool '\(directory)': \(what)"))
    }
}

extension SondeError {
    /// A failure of the spool, with the class and recovery of its definition.
    static func spool(_ code: ErrorCode, _ message: String) -> SondeError {
        let definition = ErrorDefinition.all.first { $0.code == code }
        return SondeError(
            code,
            stage: .pipeline,
            class: definition?.failureClass ?? .unsafeStorage,
            message: message,
            recovery: definition.map { [.advise($0.recovery)] } ?? []
        )
    }
}

extension FileSystemError {
    /// The call and the system's message: `pwrite: No space left on device`.
    var text: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}

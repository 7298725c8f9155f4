internal import Glibc
internal import SondeGateways
internal import Synchronization

/// The terminal that a sink paints snapshots on: lines of the log wait meanwhile, since they would be overwritten.
final class LiveScreen: Sendable {
    private let log: StreamLog
    private let painters = Mutex<Set<String>>([])

    /// Nil where log and standard output are not on one terminal, or nothing can be painted in place there.
    init?(_ log: StreamLog) {
        var (output, errors) = (stat(), stat())
        guard isatty(STDOUT_FILENO) == 1, fstat(STDOUT_FILENO, &output) == 0, fstat(STDERR_FILENO, &errors) == 0,
            output.st_rdev == errors.st_rdev, output.st_ino == errors.st_ino,
            let terminal = getenv("TERM"), strcmp(terminal, "dumb") != 0
        else { return nil }
        self.log = log
    }

    /// Whether a sink paints.
    var isPainted: Bool { painters.withLock { !$0.isEmpty } }

    /// Notes that the sink of an id paints, or does not.
    func note(_ sink: String, paints: Bool) {
        let isPainted = painters.withLock { painters in
            if paints { painters.insert(sink) } else { painters.remove(sink) }
            return !painters.isEmpty
        }
        if isPainted { log.hold() } else { log.release() }
    }
}

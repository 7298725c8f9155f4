internal import ArgumentParser
internal import Glibc
internal import SondeDomain

/// One call of the program that does the work, which takes the same words.
struct DaemonCall {
    /// A program that does the work of commands.
    enum Program: String {
        /// Of all but those below.
        case daemon = "sonded"
        /// Of `sonde web`, whose words it takes without the first.
        case web = "sonde-web"
    }

    private let program: Program
    private let words: [String]

    /// A call with the words that were typed, which have been checked.
    init(_ program: Program = .daemon) {
        self.program = program
        let all = NegativeValues.joined(Array(CommandLine.arguments.dropFirst()))
        words = program == .web ? Array(all.dropFirst()) : all
    }

    /// Hands the process over to the program; returns only by throwing.
    func start() throws -> Never {
        if words.first == "run" {
            // Between here and the daemon's own first line a hang-up would end the process; blocked, it waits over exec.
            Self.holdHangUps()
            Self.limitThreadCaches()
        }
        let places = DaemonPlaces.ofThisProcess(program.rawValue)
        for path in places {
            let failure = replaceProcess(with: path)
            guard failure != ENOENT, failure != ENOTDIR else { continue }
            throw CommandFailure.report(
                .daemonNotStartable,
                "cannot start '\(path)': \(String(cString: strerror(failure)))",
                failure == EACCES || failure == EPERM ? EX_NOPERM : EXIT_FAILURE
            )
        }
        let tried = places.map { "'\($0)'" }.joined(separator: " nor ")
        throw CommandFailure.report(
            program == .web ? .webMissing : .daemonMissing,
            "\(program == .web ? "'sonde-web'" : "the daemon") is not where it belongs: there is no \(tried)",
            EXIT_FAILURE)
    }

    private static func holdHangUps() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Of what a thread frees, the C library keeps blocks of up to 256 bytes for it and not of up to 1,032, unless the caller has set
    /// it: only the environment with which a program is started can say so ("Memory Allocation Tunables" in the GNU C library's manual).
    private static func limitThreadCaches() {
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_max=256", 0)
    }

    /// Only returns when it failed, with the error number.
    private func replaceProcess(with path: String) -> Int32 {
        var vector: [UnsafeMutablePointer<CChar>?] = ([path] + words).map { strdup($0) }
        defer { for pointer in vector { free(pointer) } }
        guard vector.allSatisfy({ $0 != nil }) else { return ENOMEM }
        vector.append(nil)
        execv(path, vector)
        return errno
    }
}

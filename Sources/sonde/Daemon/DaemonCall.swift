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
        // Between here and the daemon's own first line a hang-up would end the process; blocked, it waits over exec.
        if words.first == "run" { Self.holdHangUps() }
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

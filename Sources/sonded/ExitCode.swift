internal import Glibc
internal import SondeDomain

/// The exit codes of the process, after sysexits.h.
enum ExitCode: Int32 {
    case ok = 0
    case failure = 1
    case usage = 64
    case temporaryFailure = 75
    case permission = 77
    case configuration = 78

    /// The code for a failure that keeps the agent from starting.
    init(_ error: SondeError) {
        let failureClass = error.failureClass
        self = failureClass.needsPerson ? .configuration : failureClass.endsByItself ? .temporaryFailure : .failure
    }

    /// Ends the process at once: threads that hang in a plugin are not waited for.
    func end() -> Never {
        _exit(rawValue)
    }
}

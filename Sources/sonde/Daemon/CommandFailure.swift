internal import ArgumentParser
internal import Glibc
internal import SondeDomain

/// How the command itself reports what failed, in the form of the daemon's messages.
enum CommandFailure {
    /// Writes the error to standard error and returns the exit code for it.
    static func report(_ definition: ErrorDefinition, _ message: String, _ code: Int32) -> ExitCode {
        let text = "sonde: error[\(definition.code)]: \(message)\n  help: \(definition.recovery)\n"
        _ = text.utf8.withContiguousStorageIfAvailable { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        return ExitCode(code)
    }

    /// The same for a project that was not made.
    static func report(_ failure: ProjectFailure) -> ExitCode {
        switch failure {
        case .templateMissing(let path, let code):
            report(.templateMissing, "cannot read '\(path)': \(String(cString: strerror(code)))", EXIT_FAILURE)
        case .notWritten(let path, let code):
            report(.projectNotWritten, "cannot make '\(path)': \(String(cString: strerror(code)))", EX_CANTCREAT)
        }
    }
}

internal import Glibc
internal import SondeDomain
internal import SondeEngine

/// Runs the agent's own program for a moment, under its supervisor and without the agent's capabilities.
struct RemoteChild {
    /// What a run has led to.
    struct Result {
        var output: [UInt8]
        /// The first error in its standard error, or the last line of it.
        var lastError: String?
        /// As waitpid(2) has it; nil: it was killed for its time, or could not be executed.
        var status: Int32?

        var exitCode: Int32? { status.flatMap { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : nil } }
    }

    // Far above what TLS or all plugins together take: a bound for the host, not for the work.
    private static let memory: Int64 = 256 << 20

    private let programs: ChildPrograms
    private let clock = SystemClock()

    init(_ programs: ChildPrograms) { self.programs = programs }

    /// Gives it `input`; throws where it cannot be started.
    func run(
        _ words: [String], input: [UInt8], environment: [String] = ChildCommand.inherited, limit: Int,
        within span: Nanoseconds
    ) throws(SondeError) -> Result {
        let lastError = ErrorLine()
        let process = try ExecProcess(id: "agent") { lastError.add($0) }
        var limits = ProcessLimits()
        limits.memory = Self.memory
        try process.launch(
            ChildCommand(
                supervisor: programs.supervisor, limits: limits, user: ChildCommand.agentsWithoutCapabilities,
                program: [programs.child] + words, environment: environment))
        process.write(input)
        if process.isWritten { process.closeInput() }
        let deadline = clock.monotonicTime.advanced(by: span)
        var output: [UInt8] = []
        var isInputOpen = !process.isWritten
        wait: while true {
            switch process.next(until: deadline, { if output.count <= limit { output += $0 } }) {
            case .output: break
            case .ended, .cancelled, .late: break wait
            }
            if isInputOpen, process.isWritten {
                process.closeInput()
                isInputOpen = false
            }
        }
        let status = process.end().status
        guard output.count <= limit else { return Result(output: [], lastError: "it printed too much", status: status) }
        return Result(output: output, lastError: lastError.text, status: status)
    }

    // Only the thread that runs it uses it.
    private final class ErrorLine {
        private static let prefix = "standard error: "
        var text: String?
        private var isError = false

        func add(_ line: String) {
            guard !isError, line.hasPrefix(Self.prefix) else { return }
            let line = line.dropFirst(Self.prefix.count)
            isError = line.utf8.split(separator: UInt8(ascii: " ")).contains { $0.starts(with: "error[".utf8) }
            text = String(line)
        }
    }
}

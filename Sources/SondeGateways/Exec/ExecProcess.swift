internal import Glibc
internal import SondeDomain

/// One program at a time under its supervisor, with pipes as its standard input, output and error.
///
/// Belongs to the thread that calls the instance; nothing here waits longer than its caller sets.
final class ExecProcess {
    /// What a wait ended with.
    enum Event {
        /// The program has printed something, or closed its standard output.
        case output
        /// The program and all its descendants have ended, and everything that was printed has been read.
        case ended
        /// The call should end.
        case cancelled
        /// The time is up.
        case late
    }

    private static let endLimit = Nanoseconds.seconds(10)

    private let process: ChildProcess
    private let log: (String) -> Void
    private var hasLeftProcesses = false
    private let clock = SystemClock()
    // Nil: closed, or there is no program.
    private var input: OwnedDescriptor?
    private var output: OwnedDescriptor?
    private var errors: StandardErrorLines?
    /// What its standard input has not taken yet.
    private var unwritten: ArraySlice<UInt8> = []
    /// Whether the program can print anything yet.
    private(set) var isOutputOpen = false

    /// What the log says of a program that leaves processes behind ends so.
    static let leftover = "run on when it has ended, and are killed"

    /// No program yet; `log` gets the lines of its standard error, and what is noteworthy of its end.
    init(id: String, log: @escaping (String) -> Void) throws(SondeError) {
        self.log = log
        process = try ChildProcess(component: id)
    }

    deinit { _ = end() }

    /// Whether there is a program that has not ended.
    var isRunning: Bool { output != nil && process.isRunning }

    /// The number of its supervisor; nil: there is no program.
    var supervisor: pid_t? { process.supervisor }

    /// How many processes ran on when the last program had ended by itself.
    var leftBehind: Int { process.leftBehind }

    /// Whether everything that was written was taken.
    var isWritten: Bool { unwritten.isEmpty }

    /// Whether it has printed something that was not read, or closed its standard output.
    var hasOutput: Bool {
        guard let output else { return false }
        var polled = pollfd(fd: output.raw, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) > 0
    }

    /// Whether it has not read much of what was written for long.
    var isBehind: Bool { unwritten.count > 64 << 10 }

    /// Starts a program in place of the one before, which is killed.
    func launch(_ command: ChildCommand) throws(SondeError) {
        _ = end()
        let ends = try process.launch(command, channel: .standardOutput)
        _ = fcntl(ends.input.raw, F_SETFL, O_NONBLOCK)
        (input, output) = (ends.input, ends.channel)
        errors = StandardErrorLines(ends.errors) { [log] in log("standard error: \($0)") }
        isOutputOpen = true
    }

    /// Gives the program bytes, which are written while its events are waited for.
    func write(_ bytes: [UInt8]) {
        guard input != nil else { return }
        if unwritten.isEmpty { unwritten = bytes[...] } else { unwritten += bytes }
        writeInput()
    }

    /// Ends its standard input; what was not written is forgotten.
    func closeInput() {
        (input, unwritten) = (nil, [])
    }

    /// Waits for something to happen; `print` gets what the program has printed.
    func next(
        until deadline: MonotonicInstant, cancel: Int32 = -1, _ print: (UnsafeRawBufferPointer) -> Void
    ) -> Event {
        while let output {
            let now = clock.monotonicTime
            // A program that floods leaves no pause.
            guard now < deadline else { return .late }
            var polled = [
                pollfd(fd: isOutputOpen ? output.raw : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: unwritten.isEmpty ? -1 : input?.raw ?? -1, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
                pollfd(fd: process.endDescriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&polled, 5, deadline.pollTimeout(at: now)) > 0 else { continue }
            if polled[3].revents != 0 {
                // What was printed before it should be taken; a program that floods is not waited for.
                if polled[0].revents != 0 { readOutput(output.raw, print) }
                return .cancelled
            }
            if polled[1].revents != 0 { errors?.read() }
            if polled[2].revents != 0 { writeInput() }
            if polled[0].revents != 0 {
                readOutput(output.raw, print)
                return .output
            }
            // No process is left that could print more.
            if polled[4].revents != 0 { return .ended }
        }
        return .ended
    }

    /// Kills what is left of the program and forgets it: how it ended, where it ended by itself.
    func end() -> (error: SondeError?, status: Int32?) {
        guard output != nil else { return (nil, nil) }
        // What has ended by itself keeps its own end.
        if process.waitForEnd(.zero) == nil { process.close() }
        process.waitForEnd(Self.endLimit)
        let error = process.takeEnd()
        errors?.readRest()
        noteLeftover()
        (input, output, errors, isOutputOpen, unwritten) = (nil, nil, nil, false, [])
        return (error, process.waitStatus)
    }

    /// Once: a run of each interval may do it.
    private func noteLeftover() {
        let count = process.leftBehind
        guard count > 0, !hasLeftProcesses else { return }
        hasLeftProcesses = true
        log("\(count) processes of the program \(Self.leftover)")
    }

    private func readOutput(_ descriptor: Int32, _ print: (UnsafeRawBufferPointer) -> Void) {
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { bytes in
            let count = read(descriptor, bytes.baseAddress, bytes.count)
            if count > 0 {
                print(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            } else {
                isOutputOpen = count < 0 && errno == EINTR
            }
        }
    }

    private func writeInput() {
        guard let input else { return }
        while !unwritten.isEmpty {
            let count = unwritten.withUnsafeBytes { Glibc.write(input.raw, $0.baseAddress, $0.count) }
            guard count > 0 else {
                // A program that has closed its input reads nothing more; what it has not read stays unwritten.
                if errno != EAGAIN, errno != EINTR { self.input = nil }
                return
            }
            unwritten = unwritten.dropFirst(count)
        }
    }
}

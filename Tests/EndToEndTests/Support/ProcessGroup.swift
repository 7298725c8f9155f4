import Glibc

/// A program that runs beside a test, in a process group of its own.
final class ProcessGroup {
    enum End: Hashable {
        case exited(Int32)
        case signalled(Int32)
    }

    struct Failure: Error {
        let program: String
        let code: Int32
    }

    /// Where its three streams lead; nil is /dev/null.
    struct Streams {
        var input: Int32?
        var output: Int32?
        var errors: Int32?
    }

    let processID: pid_t
    private(set) var end: End?

    /// Starts `command`, whose first word is a path, with nothing of this process but the streams.
    init(_ command: [String], environment: [String: String], streams: Streams) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [streams.input, streams.output, streams.errors].enumerated() {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
            } else {
                posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
            }
        }
        try Self.closeTheRest(&actions)
        var attributes = posix_spawnattr_t()
        Self.initialize(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var words = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var processID = pid_t()
        let code = posix_spawn(&processID, command[0], &actions, &attributes, &words, &variables)
        guard code == 0 else { throw Failure(program: command[0], code: code) }
        self.processID = processID
    }

    deinit {
        kill()
    }

    /// Sends a signal to the process alone.
    func send(_ signal: Int32) {
        guard !hasEnded() else { return }
        Glibc.kill(processID, signal)
    }

    /// Ends it and its children at once.
    func kill() {
        guard !hasEnded() else { return }
        Glibc.kill(-processID, SIGKILL)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        end = Self.end(status)
    }

    /// Waits until it has ended by itself.
    func waitForEnd(within limit: Duration = .seconds(60)) async throws -> End {
        try await eventually("process \(processID) ends", within: limit) { hasEnded() ? end : nil }
    }

    /// Whether it has ended; never waits.
    func hasEnded() -> Bool {
        guard end == nil else { return true }
        var status: Int32 = 0
        guard waitpid(processID, &status, WNOHANG) == processID else { return false }
        end = Self.end(status)
        return true
    }

    // Pipes of tests that run beside this one would stay open in the program. The function is younger than the oldest
    // glibc that the module map of the toolchain speaks of, so it is looked up.
    private static func closeTheRest(_ actions: inout posix_spawn_file_actions_t) throws {
        typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else {
            throw Failure(program: "posix_spawn_file_actions_addclosefrom_np", code: ENOSYS)
        }
        _ = unsafeBitCast(symbol, to: CloseFrom.self)(&actions, 3)
    }

    // The test process may block or ignore signals; the program begins with the system's defaults.
    private static func initialize(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    // wait(2): the low seven bits are the signal, the next byte is the exit code.
    private static func end(_ status: Int32) -> End {
        status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signalled(status & 0x7f)
    }
}

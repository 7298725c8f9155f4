internal import Glibc

/// A program that runs beside a test, and is killed with this object.
///
/// It is started by the calling thread and so is in its network namespace. Use it from one thread.
public final class TestProcess {
    /// The program is not there, or the system refused to start it.
    public struct Failure: Error {
        /// What was to be started.
        public let program: String
        /// The system's errno.
        public let number: Int32

        /// A failure of `program`.
        public init(program: String, number: Int32) {
            self.program = program
            self.number = number
        }
    }

    /// Its process id.
    public let identifier: Int32
    private let file: String
    private let ownsFile: Bool
    private var status: Int32?

    /// Where a program is installed; nil when it is not.
    public static func path(of program: String) -> String? {
        ["/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"].map { $0 + program }.first { access($0, X_OK) == 0 }
    }

    /// Starts `program`, looked for in the system's folders; what it prints goes to the file `output`, or to a temporary one.
    ///
    /// It works in `directory`, or where this process does, and reads the descriptor `input`, or nothing. Throws a
    /// ``Failure``.
    public init(
        _ program: String, _ arguments: [String], in directory: String? = nil, input: Int32? = nil,
        output: String? = nil
    ) throws {
        guard let path = Self.path(of: program) else { throw Failure(program: program, number: ENOENT) }
        ownsFile = output == nil
        file = output ?? "/tmp/sonde-child-\(UInt64.random(in: .min ... .max)).out"
        // The module map of the toolchain lacks posix_spawn_file_actions_addchdir_np; env keeps the process id.
        let command = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + [path] + arguments
        var words = command.map { strdup($0) } + [nil]
        var environment = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { for word in words + environment { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A test's thread may have signals blocked that the program has to get.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var child: pid_t = 0
        let result = posix_spawn(&child, command[0], &actions, &attributes, &words, &environment)
        guard result == 0 else { throw Failure(program: program, number: result) }
        identifier = child
    }

    deinit {
        stop()
        if ownsFile { unlink(file) }
    }

    /// What it has printed so far, up to a megabyte.
    public var output: String {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var room = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &room, room.count)
        return String(decoding: room.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Whether it has ended.
    public var hasEnded: Bool {
        guard status == nil else { return true }
        var word: Int32 = 0
        guard waitpid(identifier, &word, WNOHANG) == identifier else { return false }
        status = word
        return true
    }

    /// Waits until it ends, and returns its status, as wait(2) does: 0 when all was well.
    @discardableResult
    public func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        status = word
        return word
    }

    /// Sends it a signal, unless it has ended.
    public func signal(_ number: Int32) {
        if !hasEnded { kill(identifier, number) }
    }

    /// Asks it to end, and waits for it.
    public func end() {
        signal(SIGTERM)
        wait()
    }

    /// Kills it, if it has not ended by itself.
    public func stop() {
        signal(SIGKILL)
        wait()
    }
}

import Foundation
import Glibc

/// A child of the test, started in the network namespace of the calling thread.
///
/// Foundation's Process starts children from a thread of its own, which is in another namespace.
final class ChildProcess {
    struct Failure: Error {
        let command: String
        let status: Int32
    }

    let identifier: pid_t
    private let file: URL
    private var status: Int32?

    /// Where a program is installed; nil when it is not.
    static func path(of program: String) -> String? {
        ["/usr/sbin/", "/sbin/", "/usr/bin/", "/bin/"].map { $0 + program }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    init(_ program: String, _ arguments: [String]) throws {
        guard let path = Self.path(of: program) else { throw Failure(command: program, status: ENOENT) }
        file = FileManager.default.temporaryDirectory.appending(path: "pcap-\(UUID().uuidString).out")
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var environment = [strdup("PATH=/usr/sbin:/usr/bin:/sbin:/bin"), nil]
        defer { for word in words + environment { free(word) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, file.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var child: pid_t = 0
        let result = posix_spawn(&child, path, &actions, nil, &words, &environment)
        guard result == 0 else { throw Failure(command: program, status: result) }
        identifier = child
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: file)
    }

    /// What it has written so far.
    var output: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    /// Whether it has ended.
    var hasEnded: Bool {
        guard status == nil else { return true }
        var word: Int32 = 0
        guard waitpid(identifier, &word, WNOHANG) == identifier else { return false }
        status = word
        return true
    }

    /// Waits until it ends.
    func wait() -> Int32 {
        if let status { return status }
        var word: Int32 = 0
        while waitpid(identifier, &word, 0) < 0, errno == EINTR {}
        status = word
        return word
    }

    /// Sends it a signal.
    func signal(_ number: Int32) {
        if status == nil { kill(identifier, number) }
    }

    /// Kills it, if it has not ended by itself.
    func stop() {
        guard status == nil else { return }
        kill(identifier, SIGKILL)
        _ = wait()
    }
}

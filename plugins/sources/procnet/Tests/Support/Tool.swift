import Foundation
import Glibc

/// A program that reads the same counters by other means.
struct Tool {
    static let ip = Tool("ip", ["-s", "-j", "link"])
    static let loopbackUp = Tool("ip", ["link", "set", "lo", "up"])
    static let nstat = Tool("nstat", ["-a", "-s", "-z", "--json"])
    static let ss = Tool("ss", ["-s"])

    private let path: String?
    private let arguments: [String]

    init(_ name: String, _ arguments: [String]) {
        path = ["/usr/sbin/", "/usr/bin/", "/sbin/", "/bin/"].map { $0 + name }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        self.arguments = arguments
    }

    var isInstalled: Bool { path != nil }

    /// Switches IPv6 off, whose neighbour discovery would send its own frames.
    static func quiet() throws {
        for scope in ["all", "default"] {
            let path = "/proc/sys/net/ipv6/conf/\(scope)/disable_ipv6"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            try Data("1".utf8).write(to: URL(filePath: path))
        }
    }

    /// Starts it and does not wait.
    func start() throws -> pid_t { try spawn(output: "/dev/null", flags: O_WRONLY) }

    struct Failure: Error {
        let number: Int32
    }

    /// What it prints.
    ///
    /// It runs in the network namespace of the calling thread, so it is spawned from there. A file takes the output:
    /// the end of a pipe could leak into a process that another test starts.
    @discardableResult
    func run() throws -> Data {
        let output = FileManager.default.temporaryDirectory.appending(path: "procnet-tool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let child = try spawn(output: output.path, flags: O_WRONLY | O_CREAT | O_EXCL)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(number: status) }
        return try Data(contentsOf: output)
    }

    private func spawn(output: String, flags: Int32) throws -> pid_t {
        guard let path else { throw Failure(number: ENOENT) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child: pid_t = 0
        let result = posix_spawn(&child, path, &actions, nil, &words, &environment)
        guard result == 0 else { throw Failure(number: result) }
        return child
    }
}

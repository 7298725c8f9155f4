import Foundation
import Glibc
import SondeTestKit

/// iproute2's ip(8), run in the network namespace of the calling thread.
enum Iproute {
    private static let path = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    struct Failure: Error {
        let command: String
        let status: Int32
    }

    /// Whether tests that make links can run.
    static var isUsable: Bool { OwnNamespace.isPermitted && path != nil }

    /// Runs `ip` with these words.
    static func run(_ command: String) throws {
        try run(command, nil)
    }

    /// What `ip` with these words prints.
    static func output(of command: String) throws -> String {
        let file = URL(filePath: NSTemporaryDirectory()).appending(path: "ip-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file.path, O_WRONLY | O_CREAT, 0o600)
        try run(command, &actions)
        return try String(contentsOf: file, encoding: .utf8)
    }

    private static func run(_ command: String, _ actions: UnsafePointer<posix_spawn_file_actions_t>?) throws {
        guard let path else { throw Failure(command: command, status: ENOENT) }
        var words = ([path] + command.split(separator: " ").map(String.init)).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var child: pid_t = 0
        let result = posix_spawn(&child, path, actions, nil, &words, &environment)
        guard result == 0 else { throw Failure(command: command, status: result) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Failure(command: command, status: status) }
    }

    /// A pair of veths, switched on, that only the test sends on.
    static func addPair(_ name: String, _ peer: String) throws {
        // Neighbour discovery would send its own frames.
        for scope in ["all", "default"] {
            let path = "/proc/sys/net/ipv6/conf/\(scope)/disable_ipv6"
            if FileManager.default.fileExists(atPath: path) {
                try Data("1".utf8).write(to: URL(filePath: path))
            }
        }
        try run("link add \(name) type veth peer name \(peer)")
        try run("link set \(name) up")
        try run("link set \(peer) up")
        try waitForCarrier(name, peer)
    }

    /// Waits until the kernel has seen the carrier of both ends.
    ///
    /// It does so on a queue of its own (net/core/link_watch.c); what is sent before is dropped without an error.
    static func waitForCarrier(_ name: String, _ peer: String) throws {
        for _ in 1...1000 {
            let isUp = try [name, peer].allSatisfy { try output(of: "-o link show dev \($0)").contains(" state UP ") }
            if isUp { return }
            usleep(5_000)
        }
        throw Failure(command: "link show dev \(name), \(peer): no carrier", status: ETIMEDOUT)
    }
}

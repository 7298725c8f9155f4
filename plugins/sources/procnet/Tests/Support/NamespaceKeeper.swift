import Foundation
import Glibc

/// A process that lives in a named network namespace until this is gone.
final class NamespaceKeeper {
    let identifier: pid_t

    /// Starts it, and waits until it is there.
    init(_ namespace: String) throws {
        identifier = try Tool("ip", ["netns", "exec", namespace, "sleep", "300"]).start()
        let deadline = Date.now.addingTimeInterval(20)
        // ip(8) becomes sleep(1) when it is in the namespace.
        while try String(contentsOfFile: "/proc/\(identifier)/comm", encoding: .utf8) != "sleep\n" {
            guard Date.now < deadline else { throw Tool.Failure(number: ETIMEDOUT) }
            usleep(10_000)
        }
    }

    deinit {
        kill(identifier, SIGKILL)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    }
}

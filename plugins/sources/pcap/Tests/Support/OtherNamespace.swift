import Foundation
import Glibc
import SondeTestKit

/// A network namespace beside the calling thread's own, for as long as the process that keeps it lives.
final class OtherNamespace {
    private let keeper: TestProcess

    /// Whether there can be one, and these programs are installed.
    static func canRun(_ programs: String...) -> Bool {
        Iproute.isUsable && (programs + ["unshare", "nsenter"]).allSatisfy { TestProcess.path(of: $0) != nil }
    }

    init() throws {
        keeper = try TestProcess("unshare", ["-n", "sleep", "300"])
        // unshare(1) becomes sleep(1) when it is in its namespace.
        let deadline = Date.now.addingTimeInterval(20)
        while try name(of: keeper.identifier) != "sleep" {
            guard Date.now < deadline else { throw TestProcess.Failure(program: "unshare", number: ETIMEDOUT) }
            usleep(10_000)
        }
    }

    deinit {
        keeper.stop()
    }

    /// Moves an interface of the calling thread's namespace here and switches it on.
    func take(_ interface: String, _ address: String? = nil) throws {
        try Iproute.run("link set \(interface) netns \(keeper.identifier)")
        try run("ip", ["link", "set", "lo", "up"])
        if let address { try run("ip", ["addr", "add", address, "dev", interface]) }
        try run("ip", ["link", "set", interface, "up"])
    }

    /// Runs a program here to its end.
    func run(_ program: String, _ arguments: [String]) throws {
        let child = try start(program, arguments)
        let status = child.wait()
        guard status == 0 else { throw TestProcess.Failure(program: program, number: status) }
    }

    /// Starts a program here.
    func start(_ program: String, _ arguments: [String]) throws -> TestProcess {
        let path = TestProcess.path(of: program) ?? program
        return try TestProcess("nsenter", ["-t", "\(keeper.identifier)", "-n", path] + arguments)
    }

    private func name(of process: pid_t) throws -> String {
        try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8).trimmingCharacters(in: .newlines)
    }
}

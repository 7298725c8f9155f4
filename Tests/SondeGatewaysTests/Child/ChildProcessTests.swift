import Foundation
import SondeDomain
import Testing

@testable import SondeGateways

@Suite struct ChildProcessTests {
    /// Copies of every descriptor of a process that this program has, as a program has them that is started at that moment.
    private static func copiesOfProcesses() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.filter {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return target?.contains("pidfd") == true
        }.compactMap { Int32($0) }.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
    }

    private static func command(_ text: String) -> ChildCommand {
        ChildCommand(supervisor: PluginWorkshop.programs.supervisor, program: ["/bin/sh", "-c", text])
    }

    @Test func theEndOfOneProcessIsNotThatOfTheNext() throws {
        let process = try ChildProcess(component: "any")
        let first = try process.launch(Self.command("exit 3"), channel: .standardOutput)
        let copies = Self.copiesOfProcesses()
        defer { for copy in copies { close(copy) } }
        #expect(!copies.isEmpty)
        process.waitForEnd(.seconds(60))
        #expect(process.takeEnd()?.message.contains("exited with status 3") == true)
        #expect(process.waitStatus == 3 << 8)
        let second = try process.launch(Self.command("exec sleep 60"), channel: .standardOutput)
        var polled = pollfd(fd: process.endDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&polled, 1, 0) == 0)
        #expect(process.waitForEnd(.zero) == nil)
        process.kill()
        #expect(process.waitForEnd(.seconds(60))?.message.contains("was killed by the agent") == true)
        withExtendedLifetime((first, second)) {}
    }
}

import Foundation
import SondeDomain
import SondeEngine
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

    private static func end(of command: ChildCommand) throws -> SondeError? {
        let process = try ChildProcess(component: "any")
        let ends = try process.launch(command, channel: .standardOutput)
        defer { withExtendedLifetime(ends) {} }
        process.waitForEnd(.seconds(60))
        return process.takeEnd()
    }

    /// What is left of a program whose supervisor was killed has nobody else to end it.
    @Test func theAgentEndsWhatAKilledSupervisorLeaves() throws {
        let text = "sleep 86399.25 & sleep 86399.25 & kill -9 $PPID; sleep 86399.25"
        let error = try #require(try Self.end(of: Self.command(text)))
        #expect(
            error.message.contains(/and its supervisor were killed; the agent has ended [23] more/), "\(error.message)")
        #expect(error.failureClass == .resource)
        #expect(ProgramWorkshop.processes(with: "86399.25") == [])
    }

    @Test func limitsThatCannotBeSetAreNoErrorOfTheProgram() throws {
        var command = Self.command("exit 0")
        // More than the kernel has for anybody.
        command.limits.files = 1 << 40
        let error = try #require(try Self.end(of: command))
        #expect(error.message == "its process cannot be limited: Operation not permitted")
        #expect(error.shown.contains("SND-PLG027"))
        #expect(error.failureClass == .configuration)
    }

    @Test func whatRunsOnWhenAProgramHasEndedIsCounted() throws {
        let process = try ChildProcess(component: "any")
        let ends = try process.launch(
            Self.command("sleep 86398.25 & sleep 86398.25 & exit 0"), channel: .standardOutput)
        process.waitForEnd(.seconds(60))
        _ = process.takeEnd()
        #expect(process.leftBehind == 2)
        #expect(process.waitStatus == 0)
        let next = try process.launch(Self.command("exit 0"), channel: .standardOutput)
        process.waitForEnd(.seconds(60))
        _ = process.takeEnd()
        #expect(process.leftBehind == 0)
        withExtendedLifetime((ends, next)) {}
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

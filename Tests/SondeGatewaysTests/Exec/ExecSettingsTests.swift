import Foundation
import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct ExecSettingsTests {
    private let workshop: ProgramWorkshop

    init() throws { workshop = try ProgramWorkshop() }

    @Test(
        arguments: [
            ([:], "command", "the command does not begin with the path of a program"),
            (["command": .list(["probe"])], "command", "the command does not begin with the path of a program"),
            (
                ["command": .list(["a", "b"]), "shell": .bool(true)], "command",
                "with 'shell: true' the command is one text for /bin/sh, not 2 words"
            ),
            (
                ["command": .list(["/etc/passwd"])], "command",
                "the program /etc/passwd cannot be executed by the agent's user"
            ),
            (
                ["command": .list(["/bin/true"]), "env": .list(["A=1", "1A=2"])], "env[1]",
                "an entry of 'env' is not of the form NAME=value"
            ),
            (
                ["command": .list(["/bin/true"]), "user": .string("no-such-user")], "user",
                "there is no user 'no-such-user'"
            ),
        ] as [([String: OptionValues.Value], String, String)])
    func optionsThatDoNotFitAreRefused(
        _ options: [String: OptionValues.Value], _ path: String, _ message: String
    ) throws {
        let error = try #require(try workshop.refusal(options))
        #expect(error.code == .programUnsuited)
        #expect(error.failureClass == .configuration)
        #expect(error.optionPath == path)
        #expect(error.message == message)
    }

    @Test func aProgramThatOthersCanWriteToIsRefused() throws {
        let path = try workshop.script("exit 0")
        chmod(path, 0o757)
        let error = try #require(try workshop.refusal(["command": .list([path])]))
        #expect(error.code == .pluginFileUntrusted)
        #expect(error.optionPath == "command")
        #expect(error.message.hasPrefix("program \(path) is not trusted: every user can write to it"))
        // Also one that becomes so once it is configured.
        chmod(path, 0o755)
        let source = try workshop.source("", ["command": .list([path])])
        chmod(path, 0o757)
        #expect(workshop.failure(of: source)?.code == .pluginFileUntrusted)
    }

    @Test func aProgramThatIsNotThereIsRefused() throws {
        let error = try #require(try workshop.refusal(["command": .list(["/nonexistent/probe"])]))
        #expect(error.code == .pluginUnreadable)
        #expect(error.message.hasPrefix("program /nonexistent/probe cannot be resolved"))
    }

    @Test func aTextForTheShellIsRunByIt() throws {
        let source = try workshop.source(
            "",
            [
                "command": .list([#"for i in 1 2; do echo "n value=$i"; done"#]), "shell": .bool(true),
                "format": .string("influx"),
            ])
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["n 1.0", "n 2.0"])
    }

    @Test(.enabled(if: geteuid() == 0)) func aProgramRunsAsTheUserThatIsConfigured() throws {
        chmod(workshop.files.directory, 0o755)
        let source = try workshop.source(
            "",
            [
                "command": .list([#"echo "u value=$(id -u)"; echo "g value=$(id -G | wc -w)""#]), "shell": .bool(true),
                "format": .string("influx"), "user": .string("nobody"),
            ])
        #expect(try source.collect(workshop.call()) == .completed)
        #expect(workshop.committed == ["u 65534.0", "g 1.0"])
    }

    @Test func theDescriptionIsThatOfAnyPlugin() throws {
        let plugin = try workshop.catalog.plugin(named: "exec", kind: .source, isolation: nil)
        #expect(try PluginDescriptor(json: plugin.description) == plugin.descriptor)
    }

    /// A run is killed at the end of its interval, whatever its timeout is.
    @Test(arguments: [
        ("interval: 5s, timeout: 6s", true), ("interval: 5s, timeout: 5s", false), ("timeout: 11s", true),
    ])
    func aTimeoutAboveTheIntervalIsRefused(_ keys: String, _ isRefused: Bool) {
        let catalog = FakePluginCatalog([ExecPlugin.source, ExecPlugin.sink])
        let problems = ConfigurationFixture(catalog: catalog).load(
            """
            version: 1
            sources: [{ id: a, plugin: exec, command: [/bin/true], \(keys) }]
            sinks: [{ id: b, plugin: exec, command: [/bin/true] }]

            """
        ).problems
        #expect(problems.map(\.code) == (isRefused ? [.outOfRange] : []))
        #expect(problems.allSatisfy { $0.mark.line == 2 && $0.message.hasPrefix("'timeout' must not be longer") })
    }
}

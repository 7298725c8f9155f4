import Foundation
import Testing

/// The commands that look and do not run, with the real daemon and the real plugins.
@Suite struct CommandTests {
    private static let commands = [
        ["run"], ["check"], ["once"], ["inspect"], ["plugins"], ["plugins", "list"], ["plugins", "describe"],
        ["plugins", "new"], ["plugins", "test"], ["config"],
        ["config", "show"], ["version"], ["status"], ["spool"], ["spool", "status"],
    ]

    @Test(arguments: commands)
    func theHelpOfACommandHoldsAnExampleOfIt(_ command: [String]) async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonde] + command + ["--help"])
            #expect(result.end == .exited(0))
            #expect(result.output.contains("Example:\n  sonde \(command.joined(separator: " "))"))
        }
    }

    @Test(arguments: [
        ["bogus"], ["run", "--bogus"], ["run", "extra"], ["check", "-c"], ["once", "--format", "xml"],
        ["plugins", "describe"], ["inspect"], ["inspect", ""], ["inspect", "a", "b"],
    ])
    func wrongUsageEndsWith64(_ arguments: [String]) async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonde] + arguments)
            #expect(result.end == .exited(64))
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("Error: "))
        }
    }

    @Test(arguments: [[], ["bogus"], ["run", "--config"], ["run", "extra"], ["plugins", "describe"], ["inspect"]])
    func theDaemonToldWronglyEndsWith64(_ arguments: [String]) async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonded] + arguments)
            #expect(result.end == .exited(64))
            #expect(result.errors.hasPrefix("sonded: "))
        }
    }

    @Test(arguments: [
        ["run"], ["check"], ["once"], ["inspect"], ["plugins", "list"], ["plugins", "describe"], ["plugins", "test"],
        ["config", "show"],
        ["version"], ["status"], ["spool", "status"], ["spool", "list"], ["spool", "show"], ["spool", "replay"],
        ["spool", "purge"], ["history"], ["export"], ["snapshot"], ["watch"], ["retry"], ["reload"],
    ])
    func theDaemonTakesTheOptionsOfEachCommand(_ command: [String]) async throws {
        try await Workspace.use { workspace in
            let help = try await workspace.run([Checkout.sonde] + command + ["--help"]).output
            let usage = help.split(separator: "\n\n").first { $0.hasPrefix("USAGE:") } ?? ""
            let options = usage.matches(of: /(--[a-z-]+)(?: (<))?/).map { ($0.1, $0.2 != nil) }
            for (option, takesValue) in options {
                // The last word stops it before it does anything.
                let words = command + [String(option)] + (takesValue ? ["1"] : []) + ["--none-such"]
                let result = try await workspace.run([Checkout.sonded] + words)
                #expect(result.end == .exited(64))
                #expect(result.errors.hasPrefix("sonded: unexpected argument '--none-such'\n"), "\(words)")
            }
        }
    }

    @Test(arguments: [("bash", "complete "), ("zsh", "#compdef sonde"), ("fish", "complete -c 'sonde'")])
    func aCompletionScriptIsWrittenForAShell(_ shell: String, _ mark: String) async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonde, "--generate-completion-script", shell])
            #expect(result.end == .exited(0))
            let names = [mark, "plugin-dir", "describe"].filter { result.output.contains($0) }
            #expect(names == [mark, "plugin-dir", "describe"])
        }
    }

    @Test func theCompletionScriptForBashIsOneThatBashReads() async throws {
        try await Workspace.use { workspace in
            let script = try await workspace.run([Checkout.sonde, "--generate-completion-script", "bash"])
            let file = try workspace.write("completion", script.output)
            let result = try await workspace.run(["/bin/bash", "-c", "source \(file) && complete -p sonde"])
            #expect(result.end == .exited(0), "\(result.errors)")
        }
    }

    @Test func theVersionNamesTheAgentTheContractAndTheRuntime() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.run([Checkout.sonde, "version"])
            #expect(result.end == .exited(0))
            let form = /sonde \d+\.\d+\.\d+\nplugin contract \d+\.\d+\nSwift runtime swift-\d+\.\d+(\.\d+)?\n/
            #expect(result.output.prefixMatch(of: form) != nil, "\(result.output)")
            let formats = "control protocol 1\nspool format 1\nhistory format 1\ndead letter format 1\n"
            #expect(result.output.hasSuffix(formats), "\(result.output)")
        }
    }

    @Test func thePluginsOfTheDirectoryAreListed() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "list")
            #expect(result.end == .exited(0))
            let rows = result.output.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
            for row in [
                ["NAME", "KIND"], ["drops", "source"], ["file", "sink"], ["http", "sink"], ["kafka", "sink"],
                ["pcap", "source"],
                ["procnet", "source"], ["stdout", "sink"],
            ] {
                #expect(rows.contains { $0.elementsEqual(row.map { Substring($0) }) }, "\(row)")
            }
        }
    }

    @Test func thePluginsAreListedForProgramsToo() async throws {
        struct Row: Decodable {
            var name: String
            var kind: String
            var path: String
        }
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "list", "--format", "json")
            let rows = try JSONDecoder().decode([Row].self, from: Data(result.output.utf8))
            #expect(rows.first { $0.name == "procnet" }?.kind == "source")
            let path = Checkout.hasBuiltInPlugins ? "built in" : "\(Checkout.buildFolder)/libprocnet.so"
            #expect(rows.first { $0.name == "procnet" }?.path == path)
        }
    }

    @Test func aPluginThatIsRefusedIsListedWithTheReason() async throws {
        try await Workspace.use { workspace in
            let folder = try workspace.makeFolder("plugins")
            try workspace.write("plugins/broken.so", "no object")
            let result = try await workspace.sonde("plugins", "list", "--plugin-dir", folder)
            #expect(result.end == .exited(0))
            #expect(result.output.contains("broken"))
            #expect((result.output + result.errors).contains("SND-PLG"))
        }
    }

    @Test func aPluginDirectoryThatIsNotThereIsNamed() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "list", "--plugin-dir", "/nowhere")
            #expect(result.end == .exited(0))
            #expect(
                result.errors == "warning --plugin-dir '/nowhere' is not searched: No such file or directory\n")
        }
    }

    @Test func aPluginIsDescribedForPeople() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "describe", "procnet")
            #expect(result.end == .exited(0))
            for text in ["procnet", "tables", "system.network.io", "SND-PRC001"] {
                #expect(result.output.contains(text), "\(text)")
            }
        }
    }

    @Test(arguments: [("procnet", "source"), ("file", "sink"), ("http", "sink"), ("stdout", "sink")])
    func aDescriptionForProgramsIsThePluginsOwn(_ name: String, _ kind: String) async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "describe", name, "--format", "json")
            #expect(result.end == .exited(0))
            let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(object?["name"] as? String == name)
            #expect(object?["kind"] as? String == kind)
            #expect((object?["options"] as? [Any])?.isEmpty == false)
        }
    }

    @Test func aPluginThatIsNotThereIsAMatterOfConfiguration() async throws {
        try await Workspace.use { workspace in
            let result = try await workspace.sonde("plugins", "describe", "nothing")
            #expect(result.end == .exited(78))
            #expect(result.errors.hasPrefix("error[SND-"))
        }
    }
}

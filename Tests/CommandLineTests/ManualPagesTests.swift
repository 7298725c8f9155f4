import Foundation
import Testing

/// What packages have to read and to complete words with, made from the help of the command as it is built.
@Suite struct ManualPagesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "sonde")

    /// What `sonde --experimental-dump-help` prints.
    private struct Help: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// It and all below it, with the words that are typed, without `help`.
        func all(after words: [String] = []) -> [(words: [String], command: Command)] {
            let own = words + [commandName]
            let below = (subcommands ?? []).filter { $0.commandName != "help" }
            return [(own, self)] + below.flatMap { $0.all(after: own) }
        }
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let names: [Name]?
        let shouldDisplay: Bool
    }

    private func run(_ arguments: [String]) throws -> (text: String, status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.environment?["SOURCE_DATE_EPOCH"] = "0"
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    private func commands() throws -> [(words: [String], command: Command)] {
        let result = try Installation().run(["--experimental-dump-help"])
        return try JSONDecoder().decode(Help.self, from: Data(result.standardOutput.utf8)).command.all()
    }

    private func longNames(_ command: Command) -> [String] {
        (command.arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(
            \.name)
    }

    private func withPages(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sonde-pages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = Self.root.appending(path: "packaging/make-man-pages.py").path
        let result = try run(["python3", "-B", script, Self.program.path, folder.path])
        try #require(result.status == 0, "\(result.text)")
        try body(folder)
    }

    @Test func thePageOfTheCommandHasEveryCommandAndEveryOption() throws {
        try withPages { folder in
            let page = try String(contentsOf: folder.appending(path: "sonde.1"), encoding: .utf8)
                .replacing("\\-", with: "-")
            for (words, command) in try commands() where command.subcommands == nil {
                let section = try #require(
                    page.split(separator: ".Ss \"\(words.joined(separator: " "))\"\n", maxSplits: 1).dropFirst().first,
                    "\(words) has no section"
                ).split(separator: "\n.Ss ", maxSplits: 1)[0]
                // In the list, which says what it is for; the line of usage has each as well.
                let items = section.split(separator: "\n").filter { $0.hasPrefix(".It ") }
                for name in longNames(command) where name != "help" {
                    #expect(items.contains { $0.contains("--\(name)") }, "\(words) --\(name)")
                }
            }
        }
    }

    @Test func thePageOfTheDaemonHasItsCommands() throws {
        try withPages { folder in
            let page = try String(contentsOf: folder.appending(path: "sonded.8"), encoding: .utf8)
            #expect(page.contains("run, check, once"))
        }
    }

    @Test func thePageOfTheConfigurationHasEveryKey() throws {
        try withPages { folder in
            let page = try String(contentsOf: folder.appending(path: "sonde.yaml.5"), encoding: .utf8)
                .replacing("\\-", with: "-")
            let reference = try String(contentsOf: Self.root.appending(path: "config/sonde.yaml"), encoding: .utf8)
            for line in reference.split(separator: "\n") where line.contains(":") {
                #expect(page.contains(line), "\(line)")
            }
        }
    }

    @Test(.enabled(if: access("/usr/bin/mandoc", X_OK) == 0), arguments: ["sonde.1", "sonded.8", "sonde.yaml.5"])
    func mandocHasNothingToSay(about page: String) throws {
        try withPages { folder in
            let result = try run(["mandoc", "-T", "lint", "-W", "warning", folder.appending(path: page).path])
            #expect(result.text == "")
            #expect(result.status == 0)
        }
    }

    @Test(arguments: [("bash", "--"), ("zsh", "--"), ("fish", "-l ")])
    func completionsKnowEveryCommandAndEveryOption(_ shell: String, _ mark: String) throws {
        let script = try Installation().run(["--generate-completion-script", shell]).standardOutput
            .replacing("'", with: "")
        for (words, command) in try commands() {
            #expect(script.contains(words.last ?? ""), "\(words)")
            for name in longNames(command) { #expect(script.contains(mark + name), "\(words) --\(name)") }
        }
    }
}

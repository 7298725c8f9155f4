import Foundation
import Testing

/// What `sonde plugins new` writes and refuses, with a template of a test's own.
@Suite struct NewPluginTests {
    private let installation: Installation
    private var folder: URL { installation.root.appending(path: "made") }

    init() throws {
        installation = try Installation()
        try installation.addFile("share/sonde/templates/source-c/newthing.c", "NewThing newThing newthing NEWTHING-1\n")
        try installation.addFile("share/sonde/templates/source-c/tests/run.sh", "/usr/bin/sonde", mode: 0o755)
        try installation.addFile("share/sonde/templates/source-c/.hidden", "/opt/newthing/x /usr/share/sonde/y")
    }

    private func make(_ name: String, _ more: String...) throws -> Installation.Result {
        try installation.run(
            ["plugins", "new", name, "--kind", "source", "--lang", "c", "--dir", folder.path] + more)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    @Test func theWordsOfATemplateAreReplacedInNamesAndContent() throws {
        let result = try make("round_trip")
        #expect(result.status == 0, "\(result.standardError)")
        #expect(try text("round_trip.c") == "RoundTrip roundTrip round_trip ROUND_TRIP-1\n")
        let root = installation.root.resolvingSymlinksInPath().path
        #expect(try text("tests/run.sh") == "\(root)/bin/sonde")
        #expect(try text(".hidden") == "\(root)/made/x \(root)/share/sonde/y")
    }

    @Test func aFileThatRunsRunsAfterwards() throws {
        _ = try make("a")
        #expect(access(folder.appending(path: "tests/run.sh").path, X_OK) == 0)
        #expect(access(folder.appending(path: "a.c").path, X_OK) != 0)
    }

    @Test func theCodesOfErrorsHaveRoomInTheContract() throws {
        _ = try make(String(repeating: "x", count: 32))
        #expect(try text(".hidden").contains("made/x"))
        #expect(
            try text("\(String(repeating: "x", count: 32)).c").contains(" \(String(repeating: "X", count: 19))-1\n"))
    }

    @Test(arguments: ["", "A", "1a", "_a", "a-b", "a.b", "a/b", "é", String(repeating: "x", count: 33)])
    func aNameThatCannotBeAPluginsIsWrongUsage(_ name: String) throws {
        #expect(try make(name).status == 64)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test(arguments: ["agent", "exec", "sonde"])
    func aNameOfTheAgentsOwnIsWrongUsage(_ name: String) throws {
        #expect(try make(name).status == 64)
    }

    @Test(arguments: [
        ["--lang", "cobol"], ["--kind", "filter"], ["--dir", "a b"], ["--dir", "$HOME"], ["--dir", ""],
    ])
    func anOptionThatIsNotKnownIsWrongUsage(_ words: [String]) throws {
        let result = try installation.run(
            ["plugins", "new", "a"] + (words[0] == "--kind" ? [] : ["--kind", "source"])
                + (words[0] == "--lang" ? [] : ["--lang", "c"]) + words)
        #expect(result.status == 64)
    }

    @Test func aFolderThatExistsIsLeftAsItIs() throws {
        try installation.addFile("made/mine", "precious")
        let result = try make("a")
        #expect(result.status == 73)
        #expect(result.standardError.contains("error[SND-CLI004]: cannot make '\(folder.path)': File exists"))
        #expect(result.standardError.contains("--dir"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine"])
    }

    @Test func withoutTheTemplatesNothingIsMade() throws {
        try FileManager.default.removeItem(at: installation.root.appending(path: "share"))
        let result = try make("a")
        #expect(result.status == 1)
        #expect(result.standardError.contains("error[SND-CLI003]"))
        #expect(result.standardError.contains("package sonde-dev"))
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}

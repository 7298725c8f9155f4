import Testing

@Suite struct UsageTests {
    private static let commands = [
        [], ["run"], ["check"], ["once"], ["plugins"], ["plugins", "list"], ["plugins", "describe"],
        ["plugins", "new"], ["plugins", "test"],
        ["config"],
        ["config", "show"], ["version"], ["status"], ["spool"], ["spool", "status"],
        ["spool", "list"], ["spool", "show"], ["spool", "replay"], ["spool", "purge"], ["series"],
        ["explain"], ["changes"],
    ]

    @Test(arguments: commands)
    func theHelpOfEveryCommandHasASentenceAndAnExample(_ command: [String]) throws {
        let result = try Installation().run(command + ["--help"])
        #expect(result.status == 0)
        #expect(result.standardOutput.hasPrefix("OVERVIEW: "))
        #expect(result.standardOutput.contains("Example:\n  sonde"))
    }

    @Test(arguments: [
        ["bogus"], ["run", "--bogus"], ["run", "extra"], ["run", "-c"], ["run", "-c", ""], ["once", "--format", "xml"],
        ["check", "--plugin-dir", ""], ["plugins", "describe"], ["plugins", "describe", ""], ["plugins", "test"],
        ["plugins", "test", ""], ["plugins", "test", "a", "--junit", ""], ["plugins", "test", "a", "--options", ""],
        ["status", "--socket", ""], ["status", "-c", ""], ["status", "extra"], ["spool", "bogus"],
        ["spool", "list", "--sink", ""], ["spool", "show"], ["spool", "show", "0"], ["spool", "show", "9-7"],
        ["spool", "show", "x"], ["spool", "show", "-1"], ["spool", "show", "1", "--dead-letter", "x"],
        ["spool", "show", "--dead-letter", ""], ["spool", "replay"], ["spool", "replay", "--sink", "a"],
        ["spool", "replay", "--all"], ["spool", "replay", "--sink", "a", "--all", "--from", "1"],
        ["spool", "replay", "--sink", "a", "--all", "--dead-letter", "x"], ["spool", "purge"],
        ["spool", "purge", "--yes"], ["spool", "purge", "--all", "--before", "1h"],
        ["spool", "purge", "--before", "yesterday"], ["series", "extra"], ["series", "--name", ""],
        ["series", "--source", ""], ["explain"], ["explain", ""], ["explain", "a", "b"],
        ["explain", "a", "--member", ""],
        ["changes", "a"], ["changes", "--range", "1m"], ["changes", "--range", "2d"], ["changes", "--range", "-1h"],
        ["changes", "--against", "30d"], ["changes", "--limit", "0"], ["record", "a", "--for", "0s"],
        ["record", "a", "--size", "0"],
    ])
    func wrongUsageEndsWith64AndSaysSoOnStandardError(_ arguments: [String]) throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(arguments)
        #expect(result.status == 64)
        #expect(result.standardError.hasPrefix("Error: "))
        #expect(result.standardOutput == "")
    }

    @Test func withoutACommandTheHelpIsShown() throws {
        let result = try Installation().run([])
        #expect(result.status == 0)
        #expect(result.standardOutput.contains("SUBCOMMANDS:"))
    }

    @Test func theHelpSaysThatNoFileIsReadUnlessOneIsNamed() throws {
        let result = try Installation().run(["run", "--help"])
        #expect(result.standardOutput.contains("Without --config no file is read"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func aCompletionScriptKnowsTheCommands(_ shell: String) throws {
        let result = try Installation().run(["--generate-completion-script", shell])
        #expect(result.status == 0)
        #expect(result.standardOutput.contains("describe"))
    }
}

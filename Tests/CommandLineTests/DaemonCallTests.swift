import Foundation
import Testing

@Suite struct DaemonCallTests {
    @Test(arguments: [
        (["run"], ["run"]),
        (["run", "-c", "a b.yaml"], ["run", "--config", "a b.yaml"]),
        (["run", "--config=a.yaml", "--plugin-dir", "x"], ["run", "--config", "a.yaml", "--plugin-dir", "x"]),
        (["check", "--plugin-dir", "x", "--plugin-dir", "y"], ["check", "--plugin-dir", "x", "--plugin-dir", "y"]),
        (["once"], ["once", "--format", "table"]),
        (["once", "--format", "json", "-c", "a"], ["once", "--config", "a", "--format", "json"]),
        (["plugins", "list"], ["plugins-list", "--format", "table"]),
        (["plugins", "describe", "file", "--format", "json"], ["plugins-describe", "file", "--format", "json"]),
        (["config", "show", "-c", "a"], ["config-show", "--config", "a"]),
        (["version"], ["version"]),
        (["status"], ["status", "--format", "table"]),
        (
            ["status", "--socket", "a b", "-c", "c", "--check", "--format", "json"],
            ["status", "--check", "--socket", "a b", "--config", "c", "--format", "json"]
        ),
        (["spool", "status", "--socket", "a"], ["spool-status", "--socket", "a", "--format", "table"]),
        (["spool", "list"], ["spool-list", "--format", "table"]),
        (
            ["spool", "list", "--sink", "a", "--socket", "s", "--format", "json"],
            ["spool-list", "--sink", "a", "--socket", "s", "--format", "json"]
        ),
        (["spool", "show", "7"], ["spool-show", "--from", "7", "--to", "7", "--limit", "1000", "--format", "table"]),
        (
            ["spool", "show", "7-9", "--limit", "0"],
            ["spool-show", "--from", "7", "--to", "9", "--limit", "0", "--format", "table"]
        ),
        (
            ["spool", "show", "--dead-letter", "x.jsonl", "--sink", "a"],
            ["spool-show", "--dead-letter", "x.jsonl", "--limit", "1000", "--sink", "a", "--format", "table"]
        ),
        (["spool", "replay", "--sink", "a", "--all"], ["spool-replay", "--sink", "a", "--all", "--format", "table"]),
        (
            ["spool", "replay", "--sink", "a", "--from", "1", "--to", "9"],
            ["spool-replay", "--sink", "a", "--from", "1", "--to", "9", "--format", "table"]
        ),
        (
            ["spool", "purge", "--sink", "a", "--before", "2h", "--yes"],
            ["spool-purge", "--sink", "a", "--before", "2h", "--yes", "--format", "table"]
        ),
        (
            ["spool", "purge", "--dead-letters", "--all"],
            ["spool-purge", "--dead-letters", "--all", "--format", "table"]
        ),
        (["--version"], ["version"]),
    ])
    func aCommandReachesTheDaemonInItsOwnTerms(_ typed: [String], _ received: [String]) throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(typed)
        #expect(result.standardOutput.split(separator: "\n").dropFirst(2) == received.map { Substring($0) }[...])
    }

    @Test func theDaemonKeepsTheProcessAndItsExitCode() throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(["run"])
        #expect(result.standardOutput.split(separator: "\n").first.flatMap { Int32($0) } == result.processID)
        #expect(result.status == 42)
    }

    @Test func theDaemonIsFoundBesideTheRealPathOfTheProgram() throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(["run"], program: "link")
        #expect(result.status == 42)
    }

    @Test func theDaemonIsFoundInTheLibraryFolder() throws {
        let installation = try Installation()
        try installation.addDaemon("lib/sonde/sonded")
        let result = try installation.run(["run"])
        #expect(result.standardOutput.contains("/lib/sonde/sonded\n"))
    }

    @Test func theDaemonBesideTheProgramComesFirst() throws {
        let installation = try Installation()
        try installation.addDaemon("lib/sonde/sonded", script: "#!/bin/sh\nexit 9\n")
        try installation.addDaemon()
        #expect(try installation.run(["run"]).status == 42)
    }

    @Test func theSearchPathOfTheCallerDoesNotChooseTheDaemon() throws {
        let installation = try Installation()
        try installation.addDaemon("elsewhere/sonded")
        let result = try installation.run(["run"], path: installation.root.appending(path: "elsewhere").path)
        #expect(result.status == 1)
        #expect(result.standardError.contains("error[SND-CLI001]"))
        #expect(result.standardError.contains("make build"))
        #expect(result.standardOutput == "")
    }

    @Test func aDaemonThatMayNotBeStartedIsAMatterOfPermission() throws {
        let installation = try Installation()
        try installation.addDaemon(mode: 0o644)
        let result = try installation.run(["run"])
        #expect(result.status == 77)
        #expect(result.standardError.contains("error[SND-CLI002]"))
    }
}

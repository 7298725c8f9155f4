import Foundation
import Testing

@Suite struct DaemonCallTests {
    @Test(arguments: [
        ["run"], ["run", "-c", "a b.yaml"], ["run", "--config=a.yaml", "--plugin-dir", "x"],
        ["check", "--plugin-dir", "x", "--plugin-dir", "y"], ["check", "--estimate"],
        ["once", "--format", "json", "-c", "a"],
        ["plugins", "list"], ["plugins", "describe", "file", "--format", "json"], ["config", "show", "-c", "a"],
        ["version"], ["--version"], ["status", "--socket", "a b", "-c", "c", "--check", "--format", "json"],
        ["spool", "status", "--socket", "a"], ["spool", "list", "--sink", "a"],
        ["spool", "show", "7-9", "--limit", "0"],
        ["spool", "show", "--dead-letter", "x.jsonl", "--sink", "a"],
        ["spool", "replay", "--sink", "a", "--all"], ["spool", "purge", "--dead-letters", "--all"],
        ["series", "--name", "system.*", "--name", "dns.?", "--source", "kernel", "--follow", "--format", "json"],
        ["top", "--socket", "a", "-c", "d"],
        ["doctor", "-c", "d", "--plugin-dir", "x", "--format", "json"],
        ["explain", "a.b", "--member", "c", "-c", "d", "--plugin-dir", "x", "--format", "json"],
        ["changes", "--range", "2h", "--against", "1d", "--limit", "3", "--format", "json", "-c", "d"],
        ["history", "--range", "1h", "--format", "csv"], ["inspect", "--", "-x.pcap"],
        ["record", "a b", "-c", "d", "--for", "5m", "--size", "1MiB", "--no-privacy"], ["replay", "a b", "-c", "d"],
    ])
    func theDaemonIsGivenTheWordsThatWereTyped(_ typed: [String]) throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(typed)
        #expect(result.standardOutput.split(separator: "\n").dropFirst(2) == typed.map { Substring($0) }[...])
    }

    @Test func theDaemonKeepsTheProcessAndItsExitCode() throws {
        let installation = try Installation()
        try installation.addDaemon()
        let result = try installation.run(["run"])
        #expect(result.standardOutput.split(separator: "\n").first.flatMap { Int32($0) } == result.processID)
        #expect(result.status == 42)
    }

    @Test(arguments: [(nil, "glibc.malloc.tcache_max=256"), ("glibc.malloc.check=3", "glibc.malloc.check=3"), ("", "")])
    func threadsOfAnAgentKeepSmallFreeBlocksUnlessTheCallerSaysOtherwise(_ own: String?, _ expected: String) throws {
        let installation = try Installation()
        try installation.addDaemon(script: "#!/bin/sh\nprintf '%s' \"$GLIBC_TUNABLES\"\n")
        let environment = own.map { ["GLIBC_TUNABLES": $0] } ?? [:]
        #expect(try installation.run(["run"], environment: environment).standardOutput == expected)
    }

    @Test func otherCommandsHaveTheEnvironmentOfTheCaller() throws {
        let installation = try Installation()
        try installation.addDaemon(script: "#!/bin/sh\nprintf '%s' \"${GLIBC_TUNABLES-none}\"\n")
        #expect(try installation.run(["status"]).standardOutput == "none")
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

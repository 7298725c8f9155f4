import Foundation
import Glibc
import Testing

/// Instances of a plugin that is not the agent's own, and so in processes of their own, which does everything that ends a process.
@Suite struct IsolationTests {
    /// What the source does in its third collection, and what the log says of it.
    struct Deed: CustomTestStringConvertible, Sendable {
        let name: String
        let code: String
        let words: String

        var testDescription: String { name }
    }

    private static func configuration(_ workspace: Workspace, _ deed: String, id: String = "apart", limits: String = "")
        -> String
    {
        """
        version: 1
        agent: { interval: 100ms, shutdown_grace: 2s }
        sources:
          - { id: kernel, plugin: procnet, level: all, tables: [dev] }
          - { id: \(id), plugin: deaths, series_limit: 1000, deed: \(deed)\(limits) }
        sinks:
          - { id: local, plugin: file, path: \(workspace.path("local")), batch: { wait: 20ms } }

        """
    }

    /// The processes that the source has reported, in order.
    private static func processes(_ agent: Agent) throws -> [pid_t] {
        var found: [pid_t] = []
        for line in agent.lines(in: "local") where line.contains("acme.process") {
            guard let value = try PointLine(line).value, found.last != pid_t(value) else { continue }
            found.append(pid_t(value))
        }
        return found
    }

    @Test(arguments: [
        Deed(name: "segfault", code: "SND-PLG027", words: "was ended by signal 11"),
        Deed(name: "abort", code: "SND-PLG027", words: "was ended by signal 6"),
        Deed(name: "overflow", code: "SND-PLG027", words: "was ended by signal 11"),
        Deed(name: "kill", code: "SND-PLG027", words: "was ended by signal 9"),
        Deed(name: "exit", code: "SND-PLG027", words: "exited with status 1"),
        Deed(name: "quick-exit", code: "SND-PLG027", words: "exited with status 3"),
        Deed(name: "hang", code: "SND-PLG027", words: "was killed by the agent because a call hung"),
        Deed(name: "close", code: "SND-PLG027", words: "exited with status 1"),
        Deed(name: "garbage", code: "SND-PLG028", words: "sent a frame of"),
    ])
    func whatEndsAProcessEndsOneInstance(_ deed: Deed) async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, deed.name), pluginDirectories: [folder])
            try await agent.wait(until: "a second process") { try Self.processes(agent).count >= 2 }
            let lines = agent.log.split(separator: "\n").filter {
                $0.contains("[SND-PLG02") && $0.contains("] apart: ")
            }
            #expect(lines.first?.contains(deed.code) == true && lines.first?.contains(deed.words) == true, "\(lines)")
            let times = PointLine.times(agent.lines(in: "local").filter { $0.contains("system.network.io") }).count
            try await agent.waitForTimes(times + 2, in: "local")
            #expect(try await agent.stop() == .exited(0))
            for process in try Self.processes(agent) { #expect(kill(process, 0) != 0, "\(process) still runs") }
        }
    }

    private static let limits = ", limits: { memory: 32MiB, files: 40, cpu_share: 0.1, processes: 20 }"

    @Test(arguments: [
        Deed(name: "grow", code: "SND-PLG027", words: "was killed because it had more than 32MiB of memory"),
        Deed(name: "grow-apart", code: "SND-PLG027", words: "was killed because it had more than 32MiB of memory"),
        Deed(name: "burst", code: "SND-PLG027", words: " memory"),
        Deed(name: "full", code: "SND-PLG027", words: "so probably limits.memory"),
        Deed(name: "descriptors", code: "SND-PLG027", words: "was ended by signal 6"),
        Deed(name: "bomb", code: "SND-PLG027", words: "and what it started were more than 20 processes"),
        Deed(name: "bomb-apart", code: "SND-PLG027", words: "and what it started were more than 20 processes"),
        Deed(name: "spin", code: "SND-PLG027", words: "used more than 0.1 processors for five seconds"),
    ])
    func whatExceedsALimitEndsOneInstance(_ deed: Deed) async throws {
        // What others measure would be the bomb's.
        try await Workspace.use(deed.name.hasPrefix("bomb") ? .all : .one) { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            // Twenty processes may have more than 32 MiB by the time when they are counted.
            let limits = deed.name.hasPrefix("bomb") ? Self.limits.replacing("32MiB", with: "1GiB") : Self.limits
            let agent = try workspace.startAgent(
                Self.configuration(workspace, deed.name, limits: limits), pluginDirectories: [folder])
            try await agent.wait(until: "a second process") { try Self.processes(agent).count >= 2 }
            let lines = agent.log.split(separator: "\n").filter { $0.contains("error[SND-PLG") }
            #expect(lines.first?.contains(deed.code) == true && lines.first?.contains(deed.words) == true, "\(lines)")
            let end = try await agent.stop()
            // The next one of a thousand processes may be under way, and leaves the agent little time to stop.
            if !deed.name.hasPrefix("bomb") { #expect(end == .exited(0), "\(agent.log)") }
            for process in try Self.processes(agent) { #expect(kill(process, 0) != 0, "\(process) still runs") }
        }
    }

    /// Its process says that one file hides another, before it has an instance.
    @Test func aPluginInTwoFoldersRuns() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let second = try workspace.makeFolder("second")
            try FileManager.default.copyItem(atPath: "\(folder)/deaths.so", toPath: "\(second)/deaths.so")
            let file = try workspace.write("sonde.yaml", Self.configuration(workspace, "none"))
            let result = try await workspace.sonde(
                "check", "-c", file, "--plugin-dir", folder, "--plugin-dir", second)
            #expect(result.end == .exited(0), "\(result.errors)")
            #expect(result.errors.contains("which hides \(second)/deaths.so"), "\(result.errors)")
        }
    }

    @Test func limitsInTheAgentsProcessAreRefused() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let file = try workspace.write(
                "sonde.yaml",
                Self.configuration(workspace, "none", limits: ", isolation: in_process, limits: { files: 40 }"))
            let result = try await workspace.sonde("check", "-c", file, "--plugin-dir", folder)
            #expect(result.end == .exited(78))
            let place = result.errors.split(separator: "\n").first { $0.contains("error[SND-PLG035]") }
            #expect(place?.contains("sonde.yaml:5:") == true, "\(result.errors)")
        }
    }

    /// The agent may not give what it does not have.
    @Test func moreFilesThanTheAgentMayHaveAreRefused() async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let file = try workspace.write(
                "sonde.yaml", Self.configuration(workspace, "none", limits: ", limits: { files: 400 }"))
            let check = [
                Checkout.sonde, "check", "-c", file, "--plugin-dir", folder, "--plugin-dir", Checkout.buildFolder,
            ]
            let allowed = try await workspace.run(["/usr/bin/prlimit", "--nofile=400:400"] + check)
            #expect(allowed.end == .exited(0), "\(allowed.errors)")
            let poor = ["/usr/bin/prlimit", "--nofile=300:300", "/usr/bin/setpriv", "--bounding-set=-sys_resource"]
            let refused = try await workspace.run(poor + check)
            #expect(refused.end == .exited(78))
            let place = refused.errors.split(separator: "\n").first { $0.contains("error[SND-PLG035]") }
            #expect(place?.contains("sonde.yaml:5:") == true, "\(refused.errors)")
            #expect(place?.contains("limits.files is above what the agent itself may have open, 300") == true)
        }
    }

    // What is shared with a child of its own counts once.
    @Test(arguments: ["flood", "print", "share", "none"])
    func whatDoesNotEndAProcessLeavesItRunning(_ deed: String) async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, deed, limits: Self.limits),
                pluginDirectories: [folder])
            let reports = { agent.lines(in: "local").filter { $0.contains("acme.process") }.count }
            try await agent.wait(until: "eight collections") { reports() >= 8 }
            #expect(try Self.processes(agent).count == 1)
            if deed == "flood" { try await agent.waitForLog("SND-PLG024") }
            #expect(try await agent.stop() == .exited(0))
        }
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func nothingOutlivesTheAgent(_ signal: Int32) async throws {
        try await Workspace.use { workspace in
            let folder = try await CPluginTests.compile("deaths", in: workspace)
            let agent = try workspace.startAgent(
                Self.configuration(workspace, "daemon", id: "end\(signal)"), pluginDirectories: [folder])
            // What it leaves in a session of its own has the same command line as the child.
            let mark = "\0deaths\0end\(signal)\0"
            try await agent.wait(until: "a daemon is left") {
                Self.commandLines().filter { $0.contains(mark) }.count >= 3
            }
            _ = try await agent.stop(signal)
            try await eventually("nothing is left") { !Self.commandLines().contains { $0.contains(mark) } }
        }
    }

    /// The command lines of all processes.
    private static func commandLines() -> [String] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var found: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard let file = fopen("/proc/\(name)/cmdline", "r") else { continue }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = fread(&bytes, 1, bytes.count, file)
            found.append(String(decoding: bytes[..<count], as: UTF8.self))
        }
        return found
    }
}

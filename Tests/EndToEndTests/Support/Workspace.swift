import Foundation
import Glibc

/// A directory of one test and the programs that it started, all gone when the test ends, however it ends.
final class Workspace {
    /// What a program that has ended left behind.
    struct Result {
        let end: ProcessGroup.End
        let output: String
        let errors: String
    }

    let directory: String
    private var children: [ProcessGroup] = []
    private var count = 0

    private init() throws {
        directory = "\(NSTemporaryDirectory())sonde-e2e-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
    }

    /// Runs `body` with a workspace, when it is its turn.
    static func use(
        _ room: Turnstile.Room = .one, _ body: (Workspace) async throws -> Void
    ) async throws {
        await Turnstile.shared.enter(room)
        do {
            let workspace = try Workspace()
            defer { workspace.tearDown() }
            try await body(workspace)
        } catch {
            await Turnstile.shared.leave(room)
            throw error
        }
        await Turnstile.shared.leave(room)
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Writes a file and says where it is.
    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: path(name), atomically: false, encoding: .utf8)
        return path(name)
    }

    /// What a file holds so far; empty while it is not there.
    func read(_ name: String) -> String {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The last bytes of a file that grows.
    func read(_ name: String, last count: UInt64) -> String {
        guard let file = FileHandle(forReadingAtPath: path(name)), let end = try? file.seekToEnd() else { return "" }
        try? file.seek(toOffset: end - min(end, count))
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }

    func makeFolder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        return path(name)
    }

    /// Starts a program that is killed at the end of the test.
    func start(
        _ command: [String],
        environment: [String: String] = [:],
        streams: ProcessGroup.Streams
    ) throws -> ProcessGroup {
        // RUNTIME_DIRECTORY: agents of tests that run elsewhere at the same time must not share a control socket.
        let own = [
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": directory, "LC_ALL": "C.UTF-8",
            "RUNTIME_DIRECTORY": directory,
        ]
        let child = try ProcessGroup(
            command,
            environment: own.merging(environment) { _, given in given },
            streams: streams
        )
        children.append(child)
        return child
    }

    /// Starts a program whose output and errors go to the files `<name>.out` and `<name>.err`.
    func start(_ command: [String], environment: [String: String] = [:], as name: String) throws -> ProcessGroup {
        let output = try create("\(name).out")
        defer { close(output) }
        let errors = try create("\(name).err")
        defer { close(errors) }
        return try start(
            command,
            environment: environment,
            streams: ProcessGroup.Streams(output: output, errors: errors)
        )
    }

    /// Runs a program to its end.
    func run(
        _ command: [String], environment: [String: String] = [:], within limit: Duration = .seconds(60)
    ) async throws -> Result {
        count += 1
        let name = "run-\(count)"
        let child = try start(command, environment: environment, as: name)
        let end = try await child.waitForEnd(within: limit)
        return Result(end: end, output: read("\(name).out"), errors: errors(of: name))
    }

    /// What the program that was started as `name` wrote to its standard error, without what depends on this host: that
    /// plugins of this build hide others, and that this is a container.
    func errors(of name: String) -> String {
        let notes = [
            ", which hides /usr/lib/sonde/plugins/", ", which hides the one that is built in",
            "the network namespace is the container's, number ",
        ]
        return read("\(name).err").split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in !notes.contains { line.contains($0) } }
            .joined(separator: "\n")
    }

    /// Runs `sonde` to its end, with the plugins of this build.
    func sonde(_ arguments: String..., environment: [String: String] = [:]) async throws -> Result {
        try await run([Checkout.sonde] + arguments + Self.pluginDirectory, environment: environment)
    }

    /// Where the plugins of this build lie, unless they are built in.
    static let pluginDirectory = Checkout.hasBuiltInPlugins ? [] : ["--plugin-dir", Checkout.buildFolder]

    /// Starts `sonde run` with a configuration.
    func startAgent(
        _ configuration: String,
        pluginDirectories: [String] = [],
        environment: [String: String] = [:]
    ) throws -> Agent {
        let file = try write("sonde.yaml", configuration)
        let directories = pluginDirectories.flatMap { ["--plugin-dir", $0] }
        let process = try start(
            [Checkout.sonde, "run", "-c", file] + directories + Self.pluginDirectory,
            environment: environment,
            as: "agent"
        )
        return Agent(process: process, workspace: self)
    }

    /// Creates a file for a program to write to.
    private func create(_ name: String) throws -> Int32 {
        let descriptor = open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw ProcessGroup.Failure(program: path(name), code: errno) }
        return descriptor
    }

    private func tearDown() {
        for child in children { child.kill() }
        try? FileManager.default.removeItem(atPath: directory)
    }
}

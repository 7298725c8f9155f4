import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// A directory of one test's own, where C plugins are made with the system's compiler.
final class PluginWorkshop {
    struct CompilerFailed: Error {
        let output: String
    }

    /// The real path; no other user can write to it.
    let directory: String
    let log = LineLog()
    /// How its plugins run.
    let isolation: Isolation

    init(_ isolation: Isolation = .inProcess) throws {
        self.isolation = isolation
        let template = NSTemporaryDirectory() + "sonde-plugins.XXXXXX"
        let made = template.withCString { name -> String? in
            guard let copy = strdup(name) else { return nil }
            defer { free(copy) }
            return mkdtemp(copy).map { String(cString: $0) }
        }
        directory = URL(fileURLWithPath: try #require(made)).resolvingSymlinksInPath().path
    }

    // Objects that were loaded stay mapped, so their inodes are not used again for another test's object.
    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// A subdirectory.
    func folder(_ name: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: path(name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        return path(name)
    }

    /// Writes a script that can be executed and returns its path.
    func program(_ text: String, as name: String) throws -> String {
        // By a process of its own: what another test starts meanwhile would have the file open for writing, and a file
        // that anything may write to cannot be executed (ETXTBSY).
        let writer = Process()
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", #"printf '%s\n' "$1" > "$2" && chmod 755 "$2""#, "sh", text, path(name)]
        try writer.run()
        writer.waitUntilExit()
        try #require(writer.terminationStatus == 0)
        return path(name)
    }

    /// Compiles a fixture to `name.so` and returns its path.
    @discardableResult
    func compile(
        _ fixture: String,
        as name: String? = nil,
        in folder: String? = nil,
        _ arguments: [String] = ["-shared"]
    ) throws -> String {
        let target = "\(folder ?? directory)/\(name ?? "\(fixture).so")"
        let compiler = Process()
        let output = Pipe()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            ["cc", "-std=c11", "-D_GNU_SOURCE", "-fPIC", "-pthread"] + arguments + [
                "-DMARK=\"\(path("mark"))\"", "-I", Self.headers, "\(Self.fixtures)/\(fixture).c", "-o", target,
            ]
        compiler.standardError = output
        try compiler.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else {
            throw CompilerFailed(output: String(decoding: text, as: UTF8.self))
        }
        chmod(target, 0o755)
        return target
    }

    /// Whether code of a `variant` made here has run.
    var hasMark: Bool { FileManager.default.fileExists(atPath: path("mark")) }

    func catalog(_ directories: [String]? = nil, trust: TrustRule? = nil) -> DirectoryPluginCatalog {
        DirectoryPluginCatalog(
            PluginSearchPath(directories ?? [directory]),
            trust: trust ?? TrustRule(user: geteuid(), group: getegid()),
            programs: Self.programs,
            log: log
        )
    }

    /// What loading the plugin fails with; nil when it loads.
    func refusal(of name: String) -> SondeError? {
        do throws(SondeError) {
            _ = try catalog().plugin(named: name)
            return nil
        } catch {
            return error
        }
    }

    /// A source made from a fixture.
    func source(
        _ fixture: String,
        mode: String? = nil,
        options: [String: OptionValues.Value] = [:],
        services: RecordingServices
    ) throws -> any SourceInstance {
        try compile(fixture)
        let plugin = try catalog().plugin(named: fixture, isolation: isolation)
        return try plugin.makeSource(id: "under test", options: values(mode, options), services: services)
    }

    /// A sink made from a fixture.
    func sink(
        _ fixture: String,
        mode: String? = nil,
        options: [String: OptionValues.Value] = [:],
        services: RecordingServices = RecordingServices()
    ) throws -> any SinkInstance {
        try compile(fixture)
        let plugin = try catalog().plugin(named: fixture, isolation: isolation)
        return try plugin.makeSink(id: "under test", options: values(mode, options), services: services)
    }

    private func values(_ mode: String?, _ options: [String: OptionValues.Value]) -> OptionValues {
        var options = options
        if let mode { options["mode"] = .string(mode) }
        return OptionValues(options)
    }

    /// The programs of this build.
    static let programs = ChildPrograms(
        supervisor: "\(products)/sonde-supervisor", child: "\(products)/sonded")
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .path
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .path
    static let headers = "\(root)/Sources/CSondePlugin/include"
    static let fixtures = "\(root)/Tests/SondeGatewaysTests/PluginLoading/Fixtures"
}

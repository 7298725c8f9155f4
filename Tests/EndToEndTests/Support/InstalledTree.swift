import Foundation

/// An installation in a workspace: the programs of this build, and what packaging/stage-kit.sh adds for makers of plugins.
struct InstalledTree {
    let prefix: String
    private let workspace: Workspace

    var sonde: String { "\(prefix)/bin/sonde" }

    init(in workspace: Workspace) async throws {
        self.workspace = workspace
        prefix = try workspace.makeFolder("installed")
        _ = try workspace.makeFolder("installed/bin")
        _ = try workspace.makeFolder("installed/lib/sonde/plugins")
        let files =
            [("sonde", "bin/sonde"), ("sonded", "bin/sonded"), ("sonde-supervisor", "lib/sonde/sonde-supervisor")]
            + ["procnet", "stdout", "file"].map { ("lib\($0).so", "lib/sonde/plugins/\($0).so") }
        for (built, installed) in files {
            try FileManager.default.copyItem(
                atPath: "\(Checkout.buildFolder)/\(built)", toPath: "\(prefix)/\(installed)")
        }
        try await check([Checkout.path("packaging/stage-kit.sh"), prefix, "0.0.0"])
    }

    /// Makes a project and returns its folder.
    func project(_ name: String, _ kind: String, _ language: String) async throws -> String {
        let folder = workspace.path(name)
        try await check([sonde, "plugins", "new", name, "--kind", kind, "--lang", language, "--dir", folder])
        return folder
    }

    /// Whether the agent runs programs as plugins.
    func hasExec() async throws -> Bool {
        try await workspace.run([sonde, "plugins", "describe", "exec"]).end == .exited(0)
    }

    /// Runs a program to its end, which has to be a good one, with the compilers that are installed.
    @discardableResult
    func check(_ command: [String], in folder: String? = nil, within limit: Duration = .seconds(60)) async throws
        -> Workspace.Result
    {
        let inFolder = folder.map { ["/usr/bin/env", "-C", $0] } ?? []
        let path = [Toolchain.folder, "/usr/sbin:/usr/bin:/sbin:/bin"].compactMap(\.self).joined(separator: ":")
        let result = try await workspace.run(inFolder + command, environment: ["PATH": path], within: limit)
        guard result.end == .exited(0) else { throw Failed(command: command, result: result) }
        return result
    }

    struct Failed: Error, CustomStringConvertible {
        let command: [String]
        let result: Workspace.Result

        var description: String {
            "\(command.joined(separator: " ")): \(result.end)\n\(result.output)\n\(result.errors)"
        }
    }
}

import Foundation
import Testing

/// The worked examples in plugins/examples, made and tested with an installed agent; the tests of `ping` are a target of the
/// package.
@Suite struct PluginExampleTests {
    /// A copy of an example where it may be built, for an installation.
    private static func copy(_ name: String, _ installed: InstalledTree, _ workspace: Workspace) throws -> String {
        let folder = workspace.path(name)
        try FileManager.default.copyItem(atPath: Checkout.path("plugins/examples/\(name)"), toPath: folder)
        return folder
    }

    @Test(arguments: ["ethtool", "syslog"])
    func anExampleInCBuildsAndPassesItsTests(_ name: String) async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            let folder = try Self.copy(name, installed, workspace)
            let make = [
                "/usr/bin/env", "PKG_CONFIG_PATH=\(installed.prefix)/lib/pkgconfig", "/usr/bin/make", "-C", folder,
                "SONDE=\(installed.sonde)",
            ]
            #expect(try await installed.check(make + ["CFLAGS=-O2 -Werror -Wshadow"]).errors == "")
            let tests = try await installed.check(make + ["check"])
            #expect(tests.output.contains("\npassed\n") || tests.errors.hasSuffix("\nOK\n"), "\(tests)")
        }
    }

    @Test(.enabled(if: Python.path != nil))
    func theExampleInPythonPassesItsTestsAndPrintsLinesOfTheSchema() async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            let folder = try Self.copy("systemd", installed, workspace)
            try await installed.check(["/usr/bin/python3", "-m", "unittest", "discover", "tests"], in: folder)
            guard LineValidator.isInstalled else { return }
            let lines = try await installed.check(
                ["\(folder)/systemd.py", "--systemctl", "\(folder)/tests/systemctl"]
            ).output
            let result = try await LineValidator.check(try workspace.write("lines", lines), workspace)
            #expect(result.output == "16\n", "\(result.errors)")
        }
    }

    @Test func theAgentRunsTheExampleInPython() async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            guard try await installed.hasExec() else { return }
            let folder = try Self.copy("systemd", installed, workspace)
            let sample = try Checkout.text("plugins/examples/systemd/sample.yaml")
                .replacing("/usr/local/lib/sonde/programs/systemd.py, --match", with: "\(folder)/systemd.py, --match")
                .replacing("(ssh|nginx|postgresql@.*)", with: "(cron|broken)")
                .replacing("\\.service']", with: "\\.service', --systemctl, \(folder)/tests/systemctl]")
            let file = try workspace.write("sonde.yaml", sample)
            let result = try await installed.check([installed.sonde, "once", "-c", file, "--format", "json"])
            let failed = try PointLine.all(result.output).filter { $0.name == "systemd.unit.failed" }
            #expect(failed.compactMap(\.value).sorted() == [0, 1], "\(result)")
        }
    }

    @Test(arguments: ["ping"])
    func theAgentTakesTheSample(_ name: String) async throws {
        try await Workspace.use { workspace in
            let sample = Checkout.path("plugins/examples/\(name)/sample.yaml")
            let result = try await workspace.sonde("check", "-c", sample, "--plugin-dir", Checkout.buildFolder)
            #expect(result.end == .exited(0), "\(result.errors)")
        }
    }

    @Test(arguments: ["ethtool", "ping", "syslog", "systemd"])
    func theReadmeBeginsWithTheProblemAndShowsTheSample(_ name: String) throws {
        let readme = try Checkout.text("plugins/examples/\(name)/README.md")
        let sample = try Checkout.text("plugins/examples/\(name)/sample.yaml")
        #expect(readme.hasPrefix("# \(name): "))
        #expect(readme.contains("```yaml\n\(sample)```\n"))
    }
}

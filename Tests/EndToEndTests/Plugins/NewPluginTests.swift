import Foundation
import Testing

/// Every project that `sonde plugins new` makes, built, tested and loaded as a person does it, with an installed agent.
@Suite struct NewPluginTests {
    private static let kinds = ["source", "sink"]

    // Named as a function of the C library.
    @Test(arguments: kinds)
    func aProjectInCBuildsAndPassesItsTests(_ kind: String) async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            let folder = try await installed.project("random", kind, "c")
            let built = try await installed.check(["/usr/bin/make", "-C", folder, "CFLAGS=-O2 -Werror"])
            #expect(built.errors == "")
            #expect(try await installed.check(["/usr/bin/make", "-C", folder, "check"]).output.contains("\npassed\n"))
            try await installed.check(["/usr/bin/make", "-C", folder, "install", "DESTDIR=\(workspace.path("root"))"])
            #expect(workspace.read("root/usr/local/lib/sonde/plugins/random.so").isEmpty == false)
        }
    }

    /// The source in Swift is what the guide makes; the sink and the example, with the kit that is compiled then.
    @Test(.enabled(if: Toolchain.folder != nil, "the compiler is not installed beside the runtime"))
    func projectsInSwiftBuildAndPassTheirTests() async throws {
        try await Workspace.use(.oneForLong) { workspace in
            let installed = try await InstalledTree(in: workspace)
            try await GuideTranscriptTests.check("a-source", "In Swift", installed, workspace)
            let scratch = workspace.path("home/boot/.build")
            let folder = try await installed.project("round_trip", "sink", "swift")
            let tests = try await installed.check(
                ["swift", "test", "--scratch-path", scratch], in: folder, within: .seconds(600))
            #expect(tests.output.contains("Test run with 3 tests in 1 suite passed"), "\(tests.output)")
            #expect(!tests.output.contains("warning:") && !tests.errors.contains("warning:"))
            let checked = try await installed.check([
                installed.sonde, "check", "-c", "\(folder)/sample.yaml", "--plugin-dir", "\(scratch)/debug",
            ])
            #expect(checked.output.hasSuffix("sample.yaml is valid\n"), "\(checked.output)")
            try await Self.buildTheExample(installed, workspace, scratch)
        }
    }

    /// The example in Swift by itself.
    private static func buildTheExample(
        _ installed: InstalledTree, _ workspace: Workspace, _ scratch: String
    ) async throws {
        let folder = workspace.path("ping")
        try FileManager.default.copyItem(atPath: Checkout.path("plugins/examples/ping"), toPath: folder)
        try Checkout.text("plugins/examples/ping/Package.swift")
            .replacing("/usr/share/sonde", with: "\(installed.prefix)/share/sonde")
            .write(toFile: "\(folder)/Package.swift", atomically: true, encoding: .utf8)
        try await installed.check(
            ["swift", "build", "--build-tests", "--scratch-path", scratch], in: folder, within: .seconds(600))
    }

    // Named as a module of Python, which the program needs.
    @Test(
        arguments: [
            ("python", ["/usr/bin/python3", "tests/test_json.py"]),
            ("sh", ["/bin/sh", "tests/test.sh"]),
        ], kinds)
    func aProgramPassesItsTests(_ program: (language: String, tests: [String]), _ kind: String) async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            let folder = try await installed.project("json", kind, program.language)
            try await installed.check(program.tests, in: folder)
            guard try await installed.hasExec() else { return }
            try await installed.check([installed.sonde, "check", "-c", "\(folder)/sample.yaml"])
        }
    }

    @Test(.enabled(if: LineValidator.isInstalled, "apt-get install python3-jsonschema"))
    func whatAProgramPrintsIsALineOfTheSchema() async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            for (language, suffix) in [("python", "py"), ("sh", "sh")] {
                let folder = try await installed.project("in_\(language)", "source", language)
                let lines = try await installed.check(["\(folder)/in_\(language).\(suffix)"]).output
                let result = try await LineValidator.check(try workspace.write("lines", lines), workspace)
                #expect(result.output == "1\n" && result.end == .exited(0), "\(result.errors)")
            }
        }
    }

    @Test func theFlagsOfPkgConfigLeadToTheContractOfTheInstallation() async throws {
        try await Workspace.use { workspace in
            let installed = try await InstalledTree(in: workspace)
            let place = ["PKG_CONFIG_PATH": "\(installed.prefix)/lib/pkgconfig"]
            let version = try await workspace.run(
                ["/usr/bin/pkg-config", "--modversion", "sonde"], environment: place)
            #expect(version.output == "0.0.0\n")
            let flags = try await workspace.run(["/usr/bin/pkg-config", "--cflags", "sonde"], environment: place)
            let folder = try #require(flags.output.wholeMatch(of: /-I(\S+)\s*/)).1
            let header = try String(contentsOfFile: "\(folder)/sonde_plugin.h", encoding: .utf8)
            #expect(header == (try Checkout.text("Sources/CSondePlugin/include/sonde_plugin.h")))
        }
    }
}

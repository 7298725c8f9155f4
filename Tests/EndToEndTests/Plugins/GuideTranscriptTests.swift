import Foundation
import Testing

/// Types what the guides show, as a person with an installed agent and an empty directory, and compares what is printed.
@Suite struct GuideTranscriptTests {
    @Test(arguments: [
        ("a-source", "In C"), ("a-source", "In Python"), ("a-source", "In the shell"), ("a-sink", "In C"),
        ("a-sink", "In Python"),
    ])
    func theGuideShowsWhatIsPrinted(_ page: String, _ section: String) async throws {
        try await Workspace.use { workspace in
            try await Self.check(page, section, try await InstalledTree(in: workspace), workspace)
        }
    }

    @Test func anEllipsisStandsForAnything() {
        let step = Transcript.Step(command: "", output: ["a …", "…", "d…"])
        #expect(step.shows("a b\nc\nd e"))
        #expect(step.shows("a \n\nd"))
        #expect(!step.shows("a b\nc"))
        #expect(!Transcript.Step(command: "", output: ["a"]).shows("a\nb"))
        #expect(Transcript.Step(command: "").shows(""))
    }

    /// Types a section in the folder `home` of a workspace; that of Swift, for NewPluginTests, which goes on with what it compiles.
    static func check(
        _ page: String, _ section: String, _ installed: InstalledTree, _ workspace: Workspace
    ) async throws {
        let transcript = Transcript(
            page: try Checkout.text("docs/guide/\(page).md"), section: section,
            withExec: try await installed.hasExec())
        try #require(!transcript.steps.isEmpty)
        let home = try workspace.makeFolder("home")
        let script = try workspace.write("script", transcript.script)
        let path = [Toolchain.folder, "\(installed.prefix)/bin", "/usr/bin:/bin"].compactMap(\.self)
        let result = try await workspace.run(
            ["/usr/bin/env", "-C", home, "/bin/bash", script],
            environment: [
                "PATH": path.joined(separator: ":"), "HOME": home, "PYTHONDONTWRITEBYTECODE": "1",
            ], within: .seconds(600))
        let outputs = Transcript.outputs(
            result.output.replacing(installed.prefix, with: "/usr").replacing(home, with: "/home/you"))
        #expect(outputs.count == transcript.steps.count)
        for (step, output) in zip(transcript.steps, outputs) {
            #expect(step.shows(output), "$ \(step.command)\n\(output)")
        }
    }
}

import Foundation
import Testing

@Suite struct PluginFolderTests {
    @Test(arguments: Repository.pluginFolders)
    func aPluginFolderHoldsEverythingOfThePlugin(_ folder: String) {
        for part in ["README.md", "sample.yaml", "Sources", "Tests"] {
            #expect(Repository.exists("\(folder)/\(part)"), "\(folder)/\(part) is missing")
        }
    }

    @Test(arguments: Repository.pluginFolders)
    func aPluginReadmeHasTheFixedSections(_ folder: String) throws {
        let expected = [
            "Summary", "Requirements and privileges", "Configuration",
            folder.hasPrefix("plugins/sources/") ? "Metrics" : "Output",
            "Errors and recovery", "Troubleshooting", "Example output",
        ]
        let lines = try Repository.text("\(folder)/README.md").split(separator: "\n")
        let sections = lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(sections.filter(expected.contains) == expected)
    }

    @Test func thePackageListsExactlyThePluginFolders() throws {
        let manifest = try Repository.text("Package.swift")
        let listed = manifest.matches(of: /Plugin\(\s*name: "(\w+)",\s*module: "\w+",\s*path: "([^"]+)"/)
        let shipped = listed.map { String($0.2) }.filter { !$0.hasPrefix("plugins/examples/") }
        #expect(Set(shipped) == Set(Repository.pluginFolders))
        for entry in listed {
            #expect(entry.2.hasSuffix("/\(entry.1)"), "\(entry.1) does not lie in a folder of its own name")
        }
    }

    @Test func pluginFoldersAreSourcesSinksOrExamples() {
        #expect(Repository.folders(in: "plugins") == ["plugins/examples", "plugins/sinks", "plugins/sources"])
    }

    @Test(arguments: Repository.folders(in: "plugins/sinks"))
    func aSinkHasItsRolesUnderTheNamesOfAllSinks(_ folder: String) {
        let files = Repository.files(below: "\(folder)/Sources", suffixes: [".swift"])
        for role in ["Plugin", "Configuration", "Sink"] {
            let count = files.count { $0.split(separator: "/").last?.hasSuffix("\(role).swift") == true }
            #expect(count == 1, "\(folder) has \(count) files …\(role).swift")
        }
    }

    @Test(arguments: Repository.folders(in: "plugins/sources"))
    func aSourceHasItsEntryAndItsSourceUnderTheNamesOfAllSources(_ folder: String) {
        let files = Repository.files(below: "\(folder)/Sources", suffixes: [".swift"])
        let names = files.compactMap { $0.split(separator: "/").last }.filter { !$0.contains("+") }
        for role in ["Plugin", "Source"] {
            let count = names.count { $0.hasSuffix("\(role).swift") }
            #expect(count == 1, "\(folder) has \(count) files …\(role).swift")
        }
    }
}

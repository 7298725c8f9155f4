import Foundation
import Testing

@Suite struct ImportRulesTests {
    @Test(arguments: ImportRule.all)
    func aFolderImportsOnlyWhatItsLayerMay(_ rule: ImportRule) throws {
        try #require(Repository.isFolder(rule.folder), "the table names a folder that does not exist")
        for path in Repository.files(below: rule.folder, suffixes: [".swift"]) {
            #expect(rule.offences(in: try Repository.text(path)) == [], "\(path)")
        }
    }

    @Test func everySourceFolderIsInTheTable() {
        let folders = Repository.folders(in: "Sources") + Repository.pluginFolders.map { "\($0)/Sources" }
        #expect(Set(folders).subtracting(ImportRule.all.map(\.folder)) == [])
    }

    @Test func aLibraryIsImportedByExactlyOneFolder() throws {
        var owners: [String: Set<String>] = [:]
        for folder in ImportRule.all.map(\.folder) {
            for path in Repository.files(below: folder, suffixes: [".swift"]) {
                for module in ImportRule.imports(in: try Repository.text(path)) {
                    owners[module, default: []].insert(folder)
                }
            }
        }
        for library in ImportRule.ownedLibraries {
            #expect(owners[library]?.count == 1, "\(library): \(owners[library] ?? [])")
        }
    }

    @Test(arguments: ImportRule.webServer.sorted())
    func onlyThePageHasAServerOfHTTP(_ module: String) throws {
        let folders = ImportRule.all.filter { $0.allowed.contains(module) }.map(\.folder)
        #expect(folders == ["Sources/SondeWeb"])
        let manifest = try Repository.text("Package.swift")
        let users = manifest.components(separatedBy: "target(").filter { $0.contains("package: \"hummingbird\"") }
        #expect(users.count == 1 && users[0].contains("name: \"SondeWeb\""), "another target links it")
    }

    @Test(arguments: [
        "import Foundation", "  import Foundation", "internal import Foundation", "public import Foundation",
        "@preconcurrency import Foundation", "@_spi(Private) public import Foundation", "import Foundation.NSData",
        "import struct Foundation.Date", "let a = 1\nimport Foundation\n",
    ])
    func aForbiddenImportIsCaughtHoweverItIsWritten(_ text: String) {
        let rule = ImportRule(folder: "sample", allowed: ["Glibc"])
        #expect(rule.offences(in: text) == ["Foundation"])
    }

    @Test(arguments: ["import Glibc", "// import Foundation", "/// import Foundation", "let importFoundation = 1"])
    func anAllowedImportAndACommentPass(_ text: String) {
        let rule = ImportRule(folder: "sample", allowed: ["Glibc"])
        #expect(rule.offences(in: text) == [])
    }

    @Test func aPluginMayNotImportItsNeighbour() throws {
        let rule = try #require(ImportRule.all.first { $0.folder == "plugins/sinks/stdout/Sources" })
        #expect(rule.offences(in: "import FilePlugin\nimport SondeDomain") == ["FilePlugin"])
    }

    @Test func theDomainMayNotEvenImportTheCLibrary() throws {
        let rule = try #require(ImportRule.all.first { $0.folder == "Sources/SondeDomain" })
        #expect(rule.offences(in: "import Glibc") == ["Glibc"])
    }
}

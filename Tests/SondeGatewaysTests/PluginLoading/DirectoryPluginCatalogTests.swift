import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

struct DirectoryPluginCatalogTests {
    @Test func takesTheFirstDirectoryThatHoldsIt() throws {
        let workshop = try PluginWorkshop()
        let first = try workshop.folder("first")
        let second = try workshop.folder("second")
        try workshop.compile("loadavg", in: first)
        try workshop.compile("loadavg", in: second)
        let plugin = try workshop.catalog([workshop.path("absent"), first, second]).plugin(named: "loadavg")
        #expect(plugin.path == "\(first)/loadavg.so")
        #expect(workshop.log.lines.count == 1)
        #expect(workshop.log.lines.first?.contains("which hides \(second)/loadavg.so") == true)
    }

    @Test func refusesTheFirstHitInsteadOfTakingTheNext() throws {
        let workshop = try PluginWorkshop()
        let first = try workshop.folder("first")
        let second = try workshop.folder("second")
        chmod(try workshop.compile("loadavg", in: first), 0o777)
        try workshop.compile("loadavg", in: second)
        #expect(throws: SondeError.self) { try workshop.catalog([first, second]).plugin(named: "loadavg") }
    }

    @Test func takesTheBuildFoldersSpellingAsTheSecondChoice() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg", as: "libloadavg.so")
        #expect(try workshop.catalog().plugin(named: "loadavg").path == workshop.path("libloadavg.so"))
        try workshop.compile("loadavg")
        #expect(try workshop.catalog().plugin(named: "loadavg").path == workshop.path("loadavg.so"))
    }

    @Test func listsNamesWithoutLoading() throws {
        let workshop = try PluginWorkshop()
        let more = try workshop.folder("more")
        try workshop.compile("variant")
        for file in ["libprocnet.so", "README.md", "Bad-Name.so", "more/variant.so", "more/http.so"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: workshop.path(file)))
        }
        #expect(workshop.catalog([workshop.directory, more]).availableNames == ["http", "procnet", "variant"])
        #expect(!workshop.hasMark)
    }

    @Test func saysWhereItLookedAndWhatThereIs() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let error = try #require(workshop.refusal(of: "procnet"))
        #expect(error.code == .pluginNotFound)
        #expect(error.cause == ["it is not in \(workshop.directory)"])
        #expect(
            error.recovery == [
                .advise("name one that is installed (loadavg), or the directory of this one in agent.plugin_dirs")
            ])
    }

    @Test func loadsOnceAndReturnsTheSamePlugin() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let catalog = workshop.catalog()
        let first = try catalog.plugin(named: "loadavg")
        try FileManager.default.removeItem(atPath: workshop.path("loadavg.so"))
        #expect(try catalog.plugin(named: "loadavg") === first)
    }

    @Test func loadsTheRealPathBehindALink() throws {
        let workshop = try PluginWorkshop()
        let real = try workshop.compile("loadavg", in: try workshop.folder("real"))
        let links = try workshop.folder("links")
        symlink(real, "\(links)/loadavg.so")
        #expect(try workshop.catalog([links]).plugin(named: "loadavg").path == real)
    }

    @Test func looksInTheGivenDirectoriesThenTheStagedThenThePackagedOne() {
        let directories = PluginSearchPath.standard(given: ["/given", "/other", "/given"]).directories
        #expect(directories.count == 4)
        #expect(directories.prefix(2) == ["/given", "/other"])
        #expect(directories[2].hasSuffix("/lib/sonde/plugins") && !directories[2].contains("/../"))
        #expect(directories[3] == "/usr/lib/sonde/plugins")
    }

    @Test func describesThePluginOfTheGuide() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let descriptor = try workshop.catalog().plugin(named: "loadavg").descriptor
        #expect(descriptor.name == "loadavg")
        #expect(descriptor.kind == .source)
        #expect(descriptor.options.map(\.key) == ["path"])
        #expect(descriptor.metrics.map(\.name) == ["acme.load"])
        #expect(descriptor.errors.map(\.code) == ["ACME-L001"])
    }

    @Test func refusesToMakeASinkOfASource() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let plugin = try workshop.catalog().plugin(named: "loadavg")
        let error = #expect(throws: SondeError.self) {
            try plugin.makeSink(id: "x", options: OptionValues(), services: RecordingServices())
        }
        #expect(error?.code == .pluginKindUnsuited)
    }
}

import Foundation
import SondeDomain
import SondeEngine
import Testing

@testable import SondeGateways

/// This program links Sonde's own plugins, as a daemon of the static flavour does.
@Suite struct BuiltInPluginTests {
    private static func catalog(_ path: PluginSearchPath, _ log: LineLog = LineLog()) -> DirectoryPluginCatalog {
        DirectoryPluginCatalog(path, builtIn: BuiltInPlugin.all, log: log)
    }

    @Test func everyShippedPluginIsBuiltIn() throws {
        let names = BuiltInPlugin.all.map(\.name)
        #expect(names == ["dnslog", "drops", "file", "http", "kafka", "pcap", "procnet", "scrape", "stdout"])
        #expect(BuiltInPlugin.all.filter(\.isConfined).map(\.name) == ["drops", "pcap"])
        let folders = ["sources", "sinks"].flatMap { kind in
            (try? FileManager.default.contentsOfDirectory(atPath: "plugins/\(kind)")) ?? []
        }
        #expect(Set(names) == Set(folders.filter { !$0.hasPrefix(".") }))
    }

    @Test(arguments: BuiltInPlugin.all.map(\.name))
    func aBuiltInPluginDescribesItselfThroughTheContract(_ name: String) throws {
        let plugin = try Self.catalog(PluginSearchPath([])).plugin(named: name, isolation: .inProcess)
        #expect(plugin.descriptor.name == name)
        #expect(plugin.path == "built in")
        #expect(try PluginDescriptor(json: plugin.description) == plugin.descriptor)
    }

    @Test func aFileInADirectoryThatWasGivenHidesIt() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg", as: "file.so")
        let log = LineLog()
        // The object is no plugin of that name: it is refused, and what is built in does not take its place.
        #expect(throws: SondeError.self) {
            try Self.catalog(PluginSearchPath([workshop.directory]), log).plugin(named: "file", isolation: .inProcess)
        }
    }

    @Test func aFileInAStandardDirectoryDoesNot() throws {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let standard = program.deletingLastPathComponent().appending(path: "lib/sonde/plugins")
        #expect(PluginSearchPath.standard().directories.contains(standard.path))
        #expect(try Self.catalog(.standard()).plugin(named: "file", isolation: .inProcess).path == "built in")
    }

    @Test func aHiddenOneIsNoted() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let log = LineLog()
        let hidden = BuiltInPlugin(name: "loadavg", entry: { nil }, link: nil, isConfined: false)
        let catalog = DirectoryPluginCatalog(PluginSearchPath([workshop.directory]), builtIn: [hidden], log: log)
        #expect(try catalog.plugin(named: "loadavg", isolation: .inProcess).path == workshop.path("loadavg.so"))
        #expect(log.lines.contains { $0.contains("which hides the one that is built in") }, "\(log.lines)")
    }

    /// An entry may make a new table at each call and never free it: a reload asks once more for the same plugin.
    @Test func anotherCatalogOfTheSameProcessKeepsWhatWasLoaded() throws {
        let catalog = Self.catalog(PluginSearchPath([]))
        let first = try catalog.plugin(named: "file", isolation: .inProcess)
        let again = catalog.searching(["/nowhere"], log: LineLog())
        #expect(try again.plugin(named: "file", isolation: .inProcess) === first)
    }

    @Test func aLibraryThatIsMissingIsNamed() throws {
        let plugin = BuiltInPlugin(
            name: "absent", entry: { nil }, link: { UnsafePointer(strdup("libabsent.so.1: cannot open")) },
            isConfined: false)
        let catalog = DirectoryPluginCatalog(PluginSearchPath([]), builtIn: [plugin], log: LineLog())
        do throws(SondeError) {
            _ = try catalog.plugin(named: "absent", isolation: .inProcess)
            Issue.record("it was loaded")
        } catch {
            #expect(error.code == .pluginLinkFailed)
            #expect(error.message.contains("libabsent.so.1"))
        }
    }
}

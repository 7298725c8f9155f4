import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

@Suite struct PluginCatalogChainTests {
    private func descriptor(_ name: String, version: String) -> PluginDescriptor {
        PluginDescriptor(name: name, kind: .source, version: version, summary: "A test's.")
    }

    private func empty(_ directory: String) -> DirectoryPluginCatalog {
        DirectoryPluginCatalog(PluginSearchPath([directory]), log: LineLog())
    }

    @Test func theFirstThatHasAPluginProvidesIt() throws {
        let first = FakePluginCatalog([descriptor("a", version: "1")])
        let second = FakePluginCatalog([descriptor("a", version: "2"), descriptor("b", version: "2")])
        let chain = PluginCatalogChain([empty("/nonexistent"), first, second])
        #expect(try chain.plugin(named: "a").descriptor.version == "1")
        #expect(chain.availableNames == ["a", "b"])
    }

    @Test func aPluginThatIsRefusedIsNotReplacedByAnother() throws {
        let first = FakePluginCatalog([PluginDescriptor]())
        let refusal = SondeError(
            .pluginFileUntrusted, stage: .loading, class: .configuration, message: "not this one")
        first.refuse("a", with: refusal)
        let chain = PluginCatalogChain([first, FakePluginCatalog([descriptor("a", version: "2")])])
        #expect(throws: refusal) { try chain.plugin(named: "a") }
    }

    @Test func whereNobodyHasAPluginEveryPlaceIsNamed() throws {
        let chain = PluginCatalogChain([
            empty("/nonexistent/one"), empty("/nonexistent/two"), FakePluginCatalog([PluginDescriptor]()),
        ])
        let error = #expect(throws: SondeError.self) { try PluginCatalogChain([chain]).plugin(named: "a") }
        #expect(error?.code == .pluginNotFound)
        #expect(error?.cause.prefix(2) == ["it is not in /nonexistent/one", "it is not in /nonexistent/two"])
    }

    @Test func directoriesThatAreAddedLaterAreSearchedInEach() throws {
        let workshop = try PluginWorkshop()
        try workshop.compile("loadavg")
        let chain = PluginCatalogChain([empty("/nonexistent")])
        #expect(throws: SondeError.self) { try chain.plugin(named: "loadavg") }
        let wider = chain.searching([workshop.directory], log: LineLog())
        let plugin = try wider.plugin(named: "loadavg")
        #expect(try wider.searching([workshop.directory], log: LineLog()).plugin(named: "loadavg") === plugin)
        #expect(throws: SondeError.self) { try wider.searching([], log: LineLog()).plugin(named: "loadavg") }
    }

    @Test func aNameMayStandForASourceAndForASink() throws {
        let sink = PluginDescriptor(name: "a", kind: .sink, version: "2", summary: "A test's.")
        let chain = PluginCatalogChain([
            FakePluginCatalog([descriptor("a", version: "1"), sink, descriptor("b", version: "1")])
        ])
        #expect(try chain.plugin(named: "a", kind: .source, isolation: nil).descriptor.version == "1")
        #expect(try chain.plugin(named: "a", kind: .sink, isolation: nil).descriptor.version == "2")
        #expect(try chain.plugins(named: "a").map(\.descriptor.kind) == [.source, .sink])
        // Of one kind only: what configures it as the other one says so.
        #expect(try chain.plugin(named: "b", kind: .sink, isolation: nil).descriptor.kind == .source)
        #expect(try chain.plugins(named: "b").count == 1)
    }
}

import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@Suite struct PluginCatalogTests {
    /// A catalog that remembers where instances are to run.
    private final class AskedCatalog: PluginCatalog {
        private let known: FakePluginCatalog
        private(set) var isolations: [Isolation?] = []

        init(_ known: FakePluginCatalog) {
            self.known = known
        }

        var availableNames: [String] { known.availableNames }

        func plugin(
            named name: String, kind: PluginDescriptor.Kind?, isolation: Isolation?
        ) throws(SondeError) -> any LoadedPlugin {
            isolations.append(isolation)
            return try known.plugin(named: name, kind: kind, isolation: isolation)
        }

        func searching(_ directories: [String], log: any EventLog) -> any PluginCatalog { self }
    }

    private let source = FakePlugin(PluginDescriptor(name: "twin", kind: .source, version: "1", summary: ""))
    private let catalog: AskedCatalog

    init() {
        let sink = FakePlugin(PluginDescriptor(name: "twin", kind: .sink, version: "1", summary: ""))
        catalog = AskedCatalog(FakePluginCatalog([source, sink]))
    }

    private func plugin(_ change: (inout SourceConfiguration) -> Void) throws -> any LoadedPlugin {
        var configuration = SourceConfiguration(id: "a", plugin: "twin", interval: .seconds(10))
        change(&configuration)
        return try catalog.plugin(of: configuration, kind: .source)
    }

    @Test func anInstanceHasThePluginOfItsKindAndItRunsWhereTheInstanceSays() throws {
        let ofSource = try plugin { $0.isolation = .process }
        let ofSink = try catalog.plugin(of: SinkConfiguration(id: "b", plugin: "twin"), kind: .sink)
        #expect(ofSource === source)
        #expect(ofSink.descriptor.kind == .sink)
        #expect(catalog.isolations == [.process, nil])
    }

    @Test(arguments: [nil, .off] as [Sandbox?])
    func aPluginThatIsNotMadeToBeConfinedIsLeftAsItIs(sandbox: Sandbox?) throws {
        let made = try plugin { $0.sandbox = sandbox }
        #expect(made === source)
        #expect(made.sandbox == nil)
        #expect(!PluginRule.confinement.applies(to: made))
    }

    @Test func aPluginThatIsNotMadeToBeConfinedIsRefusedWithASandbox() throws {
        let error = try #require(throws: SondeError.self) { try plugin { $0.sandbox = .on } }
        #expect(error.code == .sandboxUnsuited)
        #expect(error.failureClass == .configuration)
        #expect(error.message == "plugin twin is not made to be confined")
        #expect(error.advice == ["remove 'sandbox'"])
        #expect(error.optionPath == "sandbox")
    }

    @Test func aPluginInTheProcessOfTheAgentIsRefusedWithLimits() throws {
        let unlimited: any LoadedPlugin = try plugin { $0.limits = ProcessLimits() }
        #expect(unlimited === source)
        #expect(unlimited.limitKeeping == nil)
        let error = try #require(throws: SondeError.self) { try plugin { $0.limits.memory = 64 << 20 } }
        #expect(error.code == .limitNotKept)
        #expect(error.failureClass == .configuration)
        #expect(error.advice == ["give it a process of its own: 'isolation: process'"])
        #expect(error.optionPath == "limits")
    }
}

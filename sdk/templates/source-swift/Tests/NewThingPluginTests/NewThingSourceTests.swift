import NewThingPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@Suite struct NewThingSourceTests {
    @Test func readsTheNumberInTheFile() throws {
        let harness = try PluginHarness(newThingPlugin(), options: ["path": .string("/proc/uptime")])
        try harness.start()
        try harness.collect()
        let uptime = try #require(harness.host.lastCommit["newthing.uptime"]?.asDouble)
        #expect(uptime > 0)
    }

    @Test(arguments: [("/nowhere", "NEWTHING-001"), ("/proc/version", "NEWTHING-002")])
    func namesTheOptionWhenThereIsNoNumber(_ path: String, _ code: String) throws {
        let harness = try PluginHarness(newThingPlugin(), options: ["path": .string(path)])
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == code)
        #expect(error?.optionPath == "path")
        #expect(harness.host.commits.isEmpty)
    }

    @Test func refusesARelativePathBeforeItRuns() throws {
        let error = #expect(throws: PluginError.self) {
            try PluginHarness(newThingPlugin(), options: ["path": .string("uptime")])
        }
        #expect(error?.optionPath == "path")
    }
}

import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@Suite struct UptimeTests {
    @Test func readsTheUptimeOfTheHost() throws {
        let harness = try PluginHarness(uptimePlugin(), options: ["path": .string("/proc/uptime")])
        try harness.start()
        try harness.collect()
        let uptime = try #require(harness.host.lastCommit["acme.uptime"]?.asDouble)
        #expect(uptime > 0)
    }

    @Test func namesTheOptionWhenTheFileIsNotThere() throws {
        let harness = try PluginHarness(uptimePlugin(), options: ["path": .string("/nowhere")])
        let error = #expect(throws: PluginError.self) { try harness.collect() }
        #expect(error?.code == "ACME-U001")
        #expect(error?.optionPath == "path")
    }
}

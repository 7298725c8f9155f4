import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

@Suite struct StoppedRunTests {
    /// The agent takes nothing any more once it has said so.
    @Test(.enabled(if: Iproute.isUsable, "needs root and iproute2")) func whatIsStoppingIsCommittedToNoMore() throws {
        let harness = try PluginHarness(sonde_plugin_pcap(), options: ["interface": .string("lo")])
        harness.host.commitAnswers = [.stopping]
        try harness.start()
        #expect(try harness.run(interval: .milliseconds(20)) == .cancelled)
        #expect(harness.host.commits.isEmpty)
    }
}

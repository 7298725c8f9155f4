import CSondePlugin
import PcapPlugin
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

/// What `sonde check` refuses before anything is opened.
@Suite struct CaptureSettingsTests {
    private func refusal(_ options: [String: FakeHost.Option]) -> PluginError? {
        #expect(throws: PluginError.self) { try PluginHarness(sonde_plugin_pcap(), options: options) }
    }

    @Test(arguments: ["", "with blank", "a/b", "sixteen_bytes_is", "..", "a:b", "new\nline"])
    func aNameThatNoInterfaceCanHaveIsRefused(_ name: String) {
        let error = refusal(["interface": .string(name)])
        #expect(error?.code == "SND-PCP001")
        #expect(error?.failureClass == .configuration)
        #expect(error?.optionPath == "interface")
    }

    @Test func theRefusedOneOfSeveralIsNamed() {
        #expect(refusal(["interfaces": .list(["lo", "a/b"])])?.optionPath == "interfaces[1]")
        #expect(refusal(["interfaces": .list(["lo", "any"])])?.optionPath == "interfaces[1]")
        #expect(refusal(["interfaces": .list(["lo", "eth0", "lo"])])?.optionPath == "interfaces[2]")
        #expect(refusal(["interfaces": .list((0...64).map { "v\($0)" })])?.optionPath == "interfaces")
    }

    @Test func optionsThatCancelEachOtherAreRefused() {
        let two = refusal(["interface": .string("eth0"), "interfaces": .list(["lo"])])
        #expect(two?.optionPath == "interface")
        let unused = refusal(["interface": .string("lo"), "uplinks": .list(["eth0"])])
        #expect(unused?.optionPath == "uplinks")
        #expect(unused?.code == "SND-PCP001")
    }

    @Test func aFilterThatCannotBeCompiledIsRefusedWithLibpcapsReason() {
        let error = refusal(["filter": .string("port fifty three")])
        #expect(error?.code == "SND-PCP006")
        #expect(error?.optionPath == "filter")
        #expect(error?.message.contains("port fifty three") == true)
    }

    @Test(arguments: ["port 53", "vlan 7 and udp", "greater 100"])
    func aFilterOfPcapFilterIsTaken(_ filter: String) throws {
        _ = try PluginHarness(sonde_plugin_pcap(), options: ["filter": .string(filter)])
    }

    @Test func anInterfaceThatIsNotThereFailsTheStartAndNotTheCheck() throws {
        let harness = try PluginHarness(sonde_plugin_pcap(), options: ["interface": .string("sonde-absent0")])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-PCP003")
        #expect(error?.failureClass == .transient)
    }
}

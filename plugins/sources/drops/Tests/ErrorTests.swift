import Glibc
import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import DropsPlugin

/// Each thing that stands in the way is named, with what a person can do about it.
@Suite struct ErrorTests {
    private static let place = PacketDrops.tracepoint

    private func surroundings(_ change: (inout Surroundings) -> Void = { _ in }) -> Surroundings {
        var surroundings = Surroundings()
        surroundings.unprivilegedBPF = "2"
        surroundings.paranoia = "3"
        surroundings.release = "6.1.0"
        change(&surroundings)
        return surroundings
    }

    @Test func missingCapabilitiesAndSysctlsAreNamed() {
        let error = PluginError.refused(SystemRefusal(.createMap, EPERM), Self.place, surroundings())
        #expect(error.code == "SND-DRP005" && error.failureClass == .configuration)
        #expect(
            error.message == "a BPF program for skb:kfree_skb may not be loaded (Operation not permitted); "
                + "kernel.unprivileged_bpf_disabled is 2, and that takes CAP_BPF and CAP_PERFMON")
        #expect(error.hint.contains("systemctl edit sonde"))
    }

    @Test func anEventThatMayNotBeOpenedNamesTheParanoia() {
        let error = PluginError.refused(SystemRefusal(.openEvent, EACCES), Self.place, surroundings())
        #expect(error.code == "SND-DRP006")
        #expect(error.message.contains("kernel.perf_event_paranoid is 3") && error.message.contains("CAP_PERFMON"))
    }

    @Test(arguments: [SystemRefusal.Call.createMap, .loadProgram, .openEvent])
    func aUserNamespaceIsNamedBeforeCapabilities(_ call: SystemRefusal.Call) {
        let error = PluginError.refused(
            SystemRefusal(call, EPERM), Self.place, surroundings { $0.isInUserNamespace = true })
        #expect(error.message.contains("user namespace") && !error.message.contains("CAP_"))
        #expect(error.hint.contains("on the host itself"))
    }

    @Test func aLockdownIsNamed() {
        let error = PluginError.tracingForbidden(
            "/sys/kernel/tracing", "Operation not permitted", surroundings { $0.isLockedDown = true })
        #expect(error.code == "SND-DRP003" && error.message.contains("locked down"))
        #expect(error.hint.contains("lockdown=integrity"))
    }

    @Test func aKernelWithoutBPFIsToldApart() {
        let error = PluginError.refused(SystemRefusal(.createMap, ENOSYS), Self.place, surroundings())
        #expect(error.code == "SND-DRP005" && error.message.contains("no bpf(2)"))
    }

    @Test(arguments: [ENOMEM, EMFILE, ENOSPC, E2BIG]) func whatIsShortIsTriedAgain(_ number: Int32) {
        let error = PluginError.refused(SystemRefusal(.createMap, number), Self.place, surroundings())
        #expect(error.code == "SND-DRP009" && error.failureClass == .resource)
    }

    @Test func tracefsThatIsNotThereIsToldFromAKernelWithoutIt() throws {
        let harness = try PluginHarness(sonde_plugin_drops(), options: ["tracing": .string("/nowhere")])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-DRP002" && error?.optionPath == "tracing")
        let without = PluginError.tracingAbsent("/nowhere", surroundings { $0.hasTracing = false })
        #expect(without.message == "this kernel (6.1.0) has no tracefs")
    }

    @Test func aFormatThatIsNoneIsReported() throws {
        let folder = try TemporaryDirectory()
        for name in ["events", "events/skb", "events/skb/kfree_skb"] { mkdir(folder.file(name), 0o700) }
        _ = try folder.write("events/skb/kfree_skb/format", "name: other\n")
        _ = try folder.write("events/skb/kfree_skb/id", "12\n")
        let harness = try PluginHarness(sonde_plugin_drops(), options: ["tracing": .string(folder.path)])
        let error = #expect(throws: PluginError.self) { try harness.start() }
        #expect(error?.code == "SND-DRP008")
    }

    @Test func anOptionThatCannotBeUsedIsNamed() {
        let relative = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_drops(), options: ["tracing": .string("tracing")])
        }
        #expect(relative?.code == "SND-DRP001" && relative?.optionPath == "tracing")
        let off = DropsSettings.events.map { ($0.tracepoint.option, FakeHost.Option.bool(false)) }
        let nothing = #expect(throws: PluginError.self) {
            try PluginHarness(sonde_plugin_drops(), options: Dictionary(uniqueKeysWithValues: off))
        }
        #expect(nothing?.code == "SND-DRP001")
    }

    @Test(arguments: [("0\n", 0), ("0-3", 3), ("0-3,8-11", 11), ("", nil), ("0-", nil), ("0-99999999", nil)])
    func theHighestProcessorIsTheLastOfTheList(_ list: String, _ highest: Int?) {
        #expect(Processors.highest(list) == highest || list.hasSuffix("\n"))
    }

    /// All of these hold for every row of the table of counters.
    @Test func everyReasonHasOneRow() {
        var seen: Set<UInt32> = []
        for row in 0..<PacketDrops.Rows.other {
            #expect(PacketDrops.Rows.reason(row).map { seen.insert($0).inserted } == true)
        }
        #expect(PacketDrops.Rows.reason(PacketDrops.Rows.other) == nil)
        #expect(seen.contains(0x1_0003) && seen.contains(0x3_003f) && !seen.contains(0x4_0000))
    }
}

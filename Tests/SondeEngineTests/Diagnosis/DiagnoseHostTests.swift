import SondeDomain
import SondeEngine
import Testing

/// What is reported of a host, and how it is fixed.
@Suite struct DiagnoseHostTests {
    private static let packets: Capabilities = Capabilities(namedIn: "CAP_NET_RAW for live capture")

    private var host: HostCondition {
        var host = HostCondition()
        host.capabilities = []
        host.isClockKept = true
        host.time = Timestamp(seconds: 1_790_000_000)
        host.stateSpace = FileSystemSpace(available: 10 << 30, total: 100 << 30)
        return host
    }

    private func plugin(
        _ id: String, _ needs: String, unit: [String]
    ) -> (source: SourceConfiguration, descriptor: PluginDescriptor) {
        let descriptor = PluginDescriptor(
            name: id, kind: .source, version: "1", summary: "", needs: [needs], unit: unit)
        return (SourceConfiguration(id: id, plugin: id, interval: .seconds(10)), descriptor)
    }

    private func findings(
        _ host: HostCondition, _ plugins: [(source: SourceConfiguration, descriptor: PluginDescriptor)] = [],
        _ change: (inout AgentSettings) -> Void = { _ in }
    ) -> [Finding] {
        var configuration = AgentConfiguration()
        configuration.agent.stateDirectory = "/var/lib/sonde"
        change(&configuration.agent)
        return DiagnoseHost(configuration, host)(plugins)
    }

    @Test func aHostThatIsAsItShouldBeHasNothingToMend() {
        var host = host
        host.memoryBound = 256 << 20
        host.memoryUse = 12 << 20
        host.descriptorBound = 1024
        let findings = findings(host)
        #expect(findings.map(\.area) == [.clock, .disk, .budget])
        #expect(findings.allSatisfy { $0.severity == .good && $0.fixes.isEmpty }, "\(findings)")
    }

    @Test func theLinesOfAllSourcesThatLackARightAreOneDropIn() throws {
        let plugins = [
            plugin("wire", "CAP_NET_RAW for live capture", unit: ["AmbientCapabilities=CAP_NET_RAW", "A=1"]),
            plugin("why", "CAP_BPF and CAP_PERFMON", unit: ["AmbientCapabilities=CAP_BPF CAP_PERFMON", "A=1"]),
        ]
        var host = host
        host.process = .agent
        host.capabilities = Self.packets
        let finding = try #require(findings(host, plugins).first)
        #expect(finding.area == .privileges && finding.severity == .problem)
        #expect(finding.message == "the agent does not have CAP_PERFMON CAP_BPF, which wire, why need")
        #expect(
            finding.fixes.first
                == Finding.Fix(
                    .dropIn,
                    [
                        "[Service]", "AmbientCapabilities=CAP_NET_RAW", "A=1",
                        "AmbientCapabilities=CAP_BPF CAP_PERFMON",
                    ]))
        host.capabilities = Capabilities(namedIn: "CAP_NET_RAW CAP_BPF CAP_PERFMON")
        #expect(findings(host, plugins).first?.severity == .good)
        host.capabilities = nil
        #expect(findings(host, plugins).first?.severity == .unknown)
        host.process = .own
        host.capabilities = []
        #expect(findings(host, plugins).first?.severity == .warning)
    }

    @Test(
        arguments: [
            ("", 0), ("CAP_NET_RAW", 1 << 13), ("with CAP_BPF, CAP_PERFMON.", 3 << 38), ("CAP_NET_RAWX", 0),
            ("cap_bpf", 0),
        ] as [(String, UInt64)])
    func capabilitiesAreReadFromWords(_ text: String, _ mask: UInt64) {
        #expect(Capabilities(namedIn: text).rawValue == mask)
    }

    @Test func aClockThatNobodyKeepsOrThatIsWrongIsSaid() {
        var host = host
        host.isClockKept = false
        #expect(findings(host).first { $0.area == .clock }?.severity == .warning)
        host.isClockKept = nil
        #expect(findings(host).first { $0.area == .clock }?.severity == .unknown)
        host.time = Timestamp(seconds: 3)
        let wrong = findings(host).first { $0.area == .clock }
        #expect(wrong?.severity == .problem && wrong?.fixes.first?.kind == .command)
    }

    @Test func aDiskIsJudgedByWhatTheQueueMayTake() {
        var host = host
        func disk(_ change: (inout AgentSettings) -> Void = { _ in }) -> Finding? {
            findings(host, [], change).first { $0.area == .disk }
        }
        #expect(disk()?.severity == .good)
        #expect(disk { $0.stateDirectory = nil }?.severity == .warning)
        let small = disk { $0.spoolMaxBytes = 20 << 30 }
        #expect(small?.severity == .warning)
        #expect(small?.fixes.first == Finding.Fix(.yaml, ["agent:", "  spool: { max_bytes: 5070MiB }"]))
        #expect(disk { $0.spoolMinFree = 11 << 30 }?.severity == .problem)
        host.stateSpace = nil
        #expect(disk()?.severity == .unknown)
        host.stateFailure = "Read-only file system"
        #expect(disk()?.severity == .problem)
        #expect(disk()?.message == "the agent cannot write to '/var/lib/sonde': Read-only file system")
        host.stateRefusal = SondeError(defined: .stateUnsafe, stage: .start, "everybody may write there")
        #expect(disk()?.severity == .problem)
        #expect(disk()?.code == .stateUnsafe)
    }

    @Test func littleMemoryAndFewDescriptorsAreSaid() {
        var host = host
        host.descriptorBound = 64
        host.memoryBound = 100 << 20
        host.memoryUse = 95 << 20
        let budget = findings(host).filter { $0.area == .budget }
        #expect(budget.map(\.severity) == [.warning, .warning])
        #expect(budget.last?.fixes.first == Finding.Fix(.dropIn, ["[Service]", "MemoryMax=200M"]))
    }
}

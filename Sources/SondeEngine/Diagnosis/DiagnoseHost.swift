public import SondeDomain

/// Judges what the host is like by what a configuration needs of it.
public struct DiagnoseHost: Sendable {
    private let configuration: AgentConfiguration
    private let host: HostCondition

    /// A use case over what was read of the host.
    public init(_ configuration: AgentConfiguration, _ host: HostCondition) {
        self.configuration = configuration
        self.host = host
    }

    /// What there is to say, by area.
    public func callAsFunction(
        _ plugins: [(source: SourceConfiguration, descriptor: PluginDescriptor)]
    ) -> [Finding] {
        privileges(plugins) + [clock] + disk + budget
    }

    // MARK: Privileges

    /// One drop-in for all sources: systemd adds up what lines of the same name allow.
    private func privileges(
        _ plugins: [(source: SourceConfiguration, descriptor: PluginDescriptor)]
    ) -> [Finding] {
        let needing = plugins.filter { $0.descriptor.needsCapability }
        guard !needing.isEmpty else { return [] }
        let wanted = needing.flatMap(\.descriptor.needs).reduce(Capabilities()) { $0.union(Capabilities(namedIn: $1)) }
        let ids = needing.map(\.source.id).joined(separator: ", ")
        guard let held = host.capabilities else {
            return [Finding(.privileges, .unknown, "what \(subject) may do cannot be read")]
        }
        let missing = wanted.subtracting(held)
        guard !missing.isEmpty else {
            return [Finding(.privileges, .good, "\(subject) has what \(ids) need: \(list(wanted))")]
        }
        var lines: [String] = []
        for line in needing.flatMap(\.descriptor.unit) where !lines.contains(line) { lines.append(line) }
        let fixes =
            lines.isEmpty
            ? [Finding.Fix(.advice, ["Give the agent \(list(missing))."])]
            : [Finding.Fix(.dropIn, ["[Service]"] + lines), Finding.Fix(.command, ["systemctl restart sonde"])]
        return [
            Finding(
                .privileges, host.process == .agent ? .problem : .warning,
                "\(subject) does not have \(list(missing)), which \(ids) need", fixes: fixes)
        ]
    }

    private var subject: String { host.process == .agent ? "the agent" : "this user" }

    private func list(_ capabilities: Capabilities) -> String { capabilities.names.joined(separator: " ") }

    // MARK: Clock

    // Before the agent was written.
    private static let earliest = Timestamp(seconds: 1_767_225_600)

    private var clock: Finding {
        if let time = host.time, time < Self.earliest {
            return Finding(
                .clock, .problem, "the clock is before 2026: receivers refuse or misplace what is sent",
                fixes: [Finding.Fix(.command, ["timedatectl set-ntp true"])])
        }
        switch host.isClockKept {
        case true?: return Finding(.clock, .good, "something keeps the clock")
        case nil: return Finding(.clock, .unknown, "the kernel does not say whether something keeps the clock")
        case false?:
            return Finding(
                .clock, .warning, "nothing keeps the clock: times may be wrong by more and more",
                fixes: [
                    Finding.Fix(.command, ["apt-get install systemd-timesyncd", "timedatectl set-ntp true"]),
                    Finding.Fix(.advice, ["In a virtual machine or container the host may keep it."]),
                ])
        }
    }

    // MARK: Disk

    private var disk: [Finding] {
        guard let directory = configuration.agent.stateDirectory else {
            return [
                Finding(
                    .disk, .warning, "no state is kept: what waits for a sink is lost when the agent ends",
                    fixes: [Finding.Fix(.yaml, ["agent:", "  state_dir: /var/lib/sonde"])])
            ]
        }
        if let refusal = host.stateRefusal { return [Finding(.disk, of: refusal)] }
        if let failure = host.stateFailure {
            return [
                Finding(
                    .disk, .problem,
                    "the agent cannot write to '\(directory)': \(failure)",
                    fixes: [
                        Finding.Fix(.command, ["install -d -o sonde -g sonde -m 0750 \(directory)"]),
                        Finding.Fix(.advice, ["Under its unit the agent may write where StateDirectory= says."]),
                    ])
            ]
        }
        guard let space = host.stateSpace else {
            return [Finding(.disk, .unknown, "what is free at '\(directory)' cannot be read")]
        }
        let least = UInt64(clamping: configuration.agent.spoolMinFree ?? min(space.total / 20, 100 << 20))
        let free = UInt64(clamping: space.available)
        let wanted = UInt64(clamping: configuration.agent.spoolMaxBytes ?? AgentSettings.diskSpoolBytes)
        if free < least {
            return [
                Finding(
                    .disk, .problem, "\(text(free)) are free at '\(directory)', less than spool.min_free",
                    fixes: [Finding.Fix(.command, ["du -xh --max-depth=2 \(directory) | sort -h | tail"])])
            ]
        }
        guard free - least >= wanted else {
            return [
                Finding(
                    .disk, .warning,
                    "\(text(free)) are free at '\(directory)': a full spool of \(text(wanted)) would not fit",
                    fixes: [
                        Finding.Fix(
                            .yaml, ["agent:", "  spool: { max_bytes: \(max(1, (free - least) >> 21))MiB }"])
                    ])
            ]
        }
        return [Finding(.disk, .good, "\(text(free)) are free at '\(directory)', a full spool takes \(text(wanted))")]
    }

    private func text(_ bytes: UInt64) -> String {
        bytes >> 30 >= 10 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    // MARK: Budget

    private static let leastDescriptors: UInt64 = 256

    private var budget: [Finding] {
        var findings: [Finding] = []
        if let bound = host.descriptorBound, bound < Self.leastDescriptors {
            findings.append(
                Finding(
                    .budget, .warning, "\(subject) may open \(bound) files at once, and connections are files",
                    fixes: [Finding.Fix(.dropIn, ["[Service]", "LimitNOFILE=1024"])]))
        }
        guard let bound = host.memoryBound, let use = host.memoryUse else { return findings }
        // A control group holds pages of files too, which the kernel takes back: only what is near counts.
        guard use > bound / 10 * 9 else {
            return findings + [Finding(.budget, .good, "\(text(use)) of \(text(bound)) of memory are used")]
        }
        return findings + [
            Finding(
                .budget, .warning, "\(text(use)) of \(text(bound)) of memory are used",
                fixes: [
                    Finding.Fix(.dropIn, ["[Service]", "MemoryMax=\(max(1, bound >> 19))M"]),
                    Finding.Fix(.advice, ["'sonde status' shows what waits; smaller tables take less."]),
                ])
        ]
    }
}

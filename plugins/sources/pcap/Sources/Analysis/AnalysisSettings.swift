internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// What is made of the packets, as configured.
struct AnalysisSettings {
    /// Flows, or nil when they are not configured.
    var flows: FlowSettings?
    /// DNS, or nil when it is not configured.
    var dns: DNSSettings?
    /// How many of the heaviest keys of each kind are reported by name; none with 0.
    var top = 0
    /// How much of names and addresses leaves the plugin.
    var privacy = NamePrivacy.full

    /// How many keys are kept to find the heaviest: a key with more than a thousandth of the weight is always among them.
    private static let rankingCapacity = 1000
    /// An open TCP connection may be silent for so many times as long as anything else.
    private static let streamPatience: Int64 = 5

    /// Neither flows nor DNS.
    init() {}

    /// Throws `SND-PCP001` for what cannot be used.
    init(_ options: Options) throws(PluginError) {
        top = Int(clamping: options.integer("top") ?? 20)
        privacy = Self.privacy(options)
        let ranking = top > 0 ? Self.rankingCapacity : 0
        if options.bool("flows") ?? true { flows = Self.flows(options, ranking: ranking) }
        let ports = try Self.ports(options)
        if options.bool("dns") ?? true { dns = dns(options, ports, ranking: ranking) }
    }

    private static func privacy(_ options: Options) -> NamePrivacy {
        switch options.string("privacy") {
        case "hashed": .hashed(SipKey(first: .random(in: 0 ... .max), second: .random(in: 0 ... .max)))
        case "domain": .domain
        case "none": NamePrivacy.none
        default: .full
        }
    }

    private static func flows(_ options: Options, ranking: Int) -> FlowSettings {
        var settings = FlowSettings()
        settings.bytes = Int(clamping: options.size("flow_table") ?? 64 << 20)
        let idle = options.duration("flow_idle_timeout") ?? settings.datagramTimeout
        settings.datagramTimeout = idle
        settings.streamTimeout = Nanoseconds(idle.value &* streamPatience)
        settings.activeTimeout = options.duration("flow_active_timeout") ?? settings.activeTimeout
        settings.rankingCapacity = ranking
        return settings
    }

    private func dns(_ options: Options, _ ports: [UInt16], ranking: Int) -> DNSSettings {
        var settings = DNSSettings.live
        settings.ports = ports
        settings.rankingCapacity = ranking
        settings.privacy = privacy
        if let timeout = options.duration("dns_timeout") { settings.transactions.timeout = timeout.value }
        return settings
    }

    private static func ports(_ options: Options) throws(PluginError) -> [UInt16] {
        let texts = options.list("dns_ports")
        guard !texts.isEmpty else { return [53] }
        var ports: [UInt16] = []
        for (index, text) in texts.enumerated() {
            guard let port = UInt16(text), port > 0 else {
                throw PluginError(
                    "SND-PCP001",
                    .configuration,
                    "'\(text)' is no port",
                    hint: "Ports are numbers from 1 to 65535.",
                    optionPath: "dns_ports[\(index)]"
                )
            }
            ports.append(port)
        }
        return ports
    }
}

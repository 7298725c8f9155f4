internal import CPcap
internal import SondeDomain
internal import SondePluginKit

/// What to capture and how, as configured.
struct CaptureSettings {
    /// The names to capture on; `any` as the only name means every uplink.
    let interfaces: [String]
    /// With `any`: the devices that count; empty: chosen.
    let uplinks: [String]
    /// In the language of pcap-filter(7); empty: everything.
    let filter: String
    /// Bytes kept of each packet.
    let snapshotLength: Int32
    /// The ports whose TCP segments are kept whole.
    let wholeStreams: [UInt16]
    /// Whether frames for other hosts are seen.
    let isPromiscuous: Bool
    /// Bytes of the kernel's buffer.
    let bufferSize: Int32

    /// The name that means all interfaces.
    static let any = "any"
    /// How many interfaces one source can capture on.
    static let interfaceLimit = 64

    /// Throws `SND-PCP001` for what cannot be used and `SND-PCP006` for a filter that cannot be compiled.
    init(_ options: Options, wholeStreams: [UInt16] = []) throws(PluginError) {
        self.wholeStreams = wholeStreams
        interfaces = try Self.interfaces(options)
        uplinks = options.list("uplinks")
        guard uplinks.isEmpty || interfaces == [Self.any] else {
            throw Self.refused("'uplinks' means something only where the interface is 'any'", "uplinks")
        }
        filter = options.string("filter") ?? ""
        snapshotLength = Int32(clamping: options.size("snaplen") ?? 256)
        isPromiscuous = options.bool("promiscuous") ?? true
        bufferSize = Int32(clamping: options.size("buffer_size") ?? 32 << 20)
        if !filter.isEmpty { try Self.checkFilter(filter, snapshotLength) }
    }

    private static func interfaces(_ options: Options) throws(PluginError) -> [String] {
        let several = options.list("interfaces")
        guard !several.isEmpty else {
            let one = options.string("interface") ?? any
            try check(one, "interface")
            return [one]
        }
        // The default cannot be distinguished from a written value.
        if let one = options.string("interface"), one != any {
            throw refused("'interfaces' is in place of 'interface', which names '\(one)'", "interface")
        }
        guard several.count <= interfaceLimit else {
            throw refused("\(several.count) interfaces are more than \(interfaceLimit)", "interfaces")
        }
        for (index, name) in several.enumerated() {
            try check(name, "interfaces[\(index)]")
            guard name != any || several.count == 1 else {
                throw refused("'any' means all interfaces and cannot be one of several", "interfaces[\(index)]")
            }
            guard several.firstIndex(of: name) == index else {
                throw refused("'\(name)' is there twice, its packets would count twice", "interfaces[\(index)]")
            }
        }
        return several
    }

    /// The kernel's own rule for names (`dev_valid_name`, net/core/dev.c).
    private static func check(_ name: String, _ path: String) throws(PluginError) {
        let isForbidden: (UInt8) -> Bool = { $0 <= 0x20 || $0 == 0x2f || $0 == 0x3a || $0 == 0x7f }
        guard !name.isEmpty, name.utf8.count < 16, name != ".", name != "..", !name.utf8.contains(where: isForbidden)
        else { throw refused("'\(name)' cannot be the name of an interface", path) }
    }

    private static func refused(_ message: String, _ path: String) -> PluginError {
        PluginError(
            "SND-PCP001", .configuration, message, hint: "'ip link' shows the interfaces.", optionPath: path)
    }

    /// Compiles the filter for Ethernet, where almost every filter has a meaning.
    private static func checkFilter(_ filter: String, _ snapshotLength: Int32) throws(PluginError) {
        guard let dead = pcap_open_dead(DLT_EN10MB, snapshotLength) else { return }
        defer { pcap_close(dead) }
        var program = bpf_program()
        guard pcap_compile(dead, &program, filter, 1, sonde_pcap_netmask_unknown) == 0 else {
            throw .filterRefused(filter, String(cString: pcap_geterr(dead)))
        }
        pcap_freecode(&program)
    }
}

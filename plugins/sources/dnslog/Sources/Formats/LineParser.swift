internal import SondePluginKit

/// Turns lines into events, in any of the formats.
///
/// The formats are extensions of it, a file each. It holds what they share: the names of types, and the secret that keys are
/// hashed with.
struct LineParser: ~Copyable {
    let types = TypeTable()
    private let seed: UInt64

    /// A parser whose keys nobody can foresee who does not know `seed`.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// What `line` tells, whose prefix has been read.
    @inline(__always)
    func event(_ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        guard prefix.tag == .none || prefix.tag == format.tag else { return .unrelated }
        let message = line.from(prefix.start)
        switch format {
        case .unbound: return unbound(message, prefix)
        case .bind: return bind(message, prefix)
        case .dnsmasq: return dnsmasq(message, prefix)
        case .powerdns: return powerDNS(message, prefix)
        case .kresd: return kresd(message)
        case .coredns: return coreDNS(message)
        case .adguard: return adGuard(line)
        case .dnstap: return .unrelated
        }
    }

    /// A key of the bytes that a query and its response have in common.
    @inline(__always)
    func key(_ bytes: LogBytes, _ process: UInt32 = 0) -> UInt64 {
        KeyHash.of(bytes.buffer, seed: seed ^ UInt64(process)) | 1
    }
}

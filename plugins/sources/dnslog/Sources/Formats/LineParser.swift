internal import SondePluginKit

/// Turns lines into events, in any of the formats.
///
/// The formats are extensions of it, a file each. It holds what they share: the names of types, and the secret that keys are
/// hashed with.
struct LineParser: ~Copyable {
    let types = TypeTable()
    let addresses: KnownAddresses
    private let seed: UInt64

    /// A parser whose keys cannot be predicted without `seed`.
    init(seed: UInt64) {
        self.seed = seed
        addresses = KnownAddresses(seed: seed)
    }

    /// The event of `line`, whose prefix has been read.
    func event(_ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        var event = LogEvent.unparsed
        read(format, line, prefix, &event)
        return event
    }

    /// Fills a fresh `event` from `line`, whose prefix has been read.
    ///
    /// In place: an event is large, and handing it from function to function costs as much as reading a short line.
    func read(_ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        guard prefix.tag == .none || prefix.tag == format.tag else {
            event = .unrelated
            return
        }
        let message = line.from(prefix.start)
        switch format {
        case .unbound: unbound(message, prefix, &event)
        case .bind: bind(message, prefix, &event)
        case .dnsmasq: dnsmasq(message, prefix, &event)
        case .powerdns: powerDNS(message, prefix, &event)
        case .kresd: kresd(message, &event)
        case .coredns: event = coreDNS(message)
        case .adguard: event = adGuard(line)
        case .dnstap: event = .unrelated
        }
    }

    /// A key of the bytes that a query and its response have in common.
    @inline(__always)
    func key(_ bytes: LogBytes, _ process: UInt32 = 0) -> UInt64 {
        KeyHash.mix(bytes.hash(seed: seed ^ UInt64(process) &<< 32)) | 1
    }
}

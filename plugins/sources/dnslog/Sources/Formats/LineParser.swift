internal import SondePluginKit

/// Turns lines into events, in any of the formats.
///
/// The formats are extensions of it, a file each. It holds what they share: the names of types, and the secret that keys are
/// hashed with.
struct LineParser: ~Copyable {
    let types = TypeTable()
    let addresses: KnownAddresses
    let shapes = PairShapes()
    private let seed: UInt64

    /// A parser whose keys cannot be predicted without `seed`.
    init(seed: UInt64) {
        self.seed = seed
        addresses = KnownAddresses(seed: seed)
    }

    /// The event of `line`, whose prefix has been read.
    @inline(never)
    func event(_ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        var event = LogEvent.unparsed
        read(format, line, prefix, { _ in nil }, { event = $0 }, { event = $0 })
        return event
    }

    /// Reads `line`, whose prefix has been read; `waiting` finds where the query of a key waits.
    ///
    /// What makes up nearly all of a log goes to `take`, and anything else to `rest`. Where the format is known at the place
    /// of the call, this is the code for that format and no other, an event there never more than some registers.
    @inline(always)
    func read(
        _ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix, _ waiting: (UInt64) -> UInt32?,
        _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void
    ) {
        guard prefix.tag == .none || prefix.tag == format.tag else { return rest(.unrelated) }
        switch format {
        case .unbound: unbound(line, prefix, waiting, take, rest)
        case .bind: bind(line, prefix, take, rest)
        case .dnsmasq: dnsmasq(line, prefix, take, rest)
        case .powerdns: powerDNS(line, prefix, take, rest)
        case .kresd: kresd(line, prefix, take, rest)
        case .coredns: rest(coreDNS(line.from(prefix.start)))
        case .adguard: rest(adGuard(line))
        case .dnstap: rest(.unrelated)
        }
    }

    /// A key of the bytes that a query and its response have in common.
    @inline(always)
    func key(_ bytes: LogBytes, _ process: UInt32 = 0) -> UInt64 {
        bytes.hash(seed: seed ^ UInt64(process) &<< 32) | 1
    }
}

internal import SondePluginKit

/// Turns lines into events, in any of the formats.
///
/// The formats are extensions of it, a file each. It holds what they share: the names of types, and the secret that keys are
/// hashed with.
struct LineParser: ~Copyable {
    let types = TypeTable()
    let addresses = KnownAddresses()
    private let seed: UInt64

    /// A parser whose keys nobody can foresee who does not know `seed`.
    init(seed: UInt64) {
        self.seed = seed
    }

    /// What `line` tells, whose prefix has been read.
    func event(_ format: LogFormat, _ line: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        var event = LogEvent.unparsed
        read(format, line, prefix, &event)
        return event
    }

    /// Makes of a fresh `event` what `line` tells, whose prefix has been read.
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
        var hash = KeyHash.mix(seed ^ UInt64(process) &<< 32 ^ UInt64(truncatingIfNeeded: bytes.count))
        guard bytes.count >= 8 else { return KeyHash.mix(hash ^ bytes.word(at: 0)) | 1 }
        let last = bytes.count &- 8
        var index = 0
        while index < last {
            hash = Self.fold(hash ^ bytes.base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        // The last word overlaps the one before it, so that none is read byte by byte.
        return KeyHash.mix(hash ^ bytes.base.loadUnaligned(fromByteOffset: last, as: UInt64.self)) | 1
    }

    /// Both halves of a product: enough between two words, where ``KeyHash/mix(_:)`` makes an end.
    @inline(__always)
    private static func fold(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        return product.high ^ product.low
    }
}

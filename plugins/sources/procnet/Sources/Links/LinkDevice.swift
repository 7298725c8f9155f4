internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// One device from reading to reading.
final class LinkDevice {
    /// What the kernel reported about it last.
    private(set) var description: LinkDescription
    var speed: LinkSpeed?
    var role = LinkRole.alone
    var isUplink = false
    /// When its counts were zero, if known.
    var start: Timestamp?
    /// The attributes of its info series; nil until they are made again after a change.
    var information: [Attribute]?
    /// Its series, when it is reported individually.
    var series = LinkSeries()
    /// What it counted since the reading before; nil when that is not known.
    private(set) var step: LinkCounters?
    /// How long that took.
    private(set) var elapsed = Nanoseconds.zero
    /// Whether the newest reading had its counts.
    private(set) var isFresh = false

    private var raw: LinkCounters?
    /// What passed the end of counters that the driver keeps in 32 bits.
    private var carried: LinkCounters?
    private var evidence = CounterComparison.Evidence()
    private var readAt = MonotonicInstant(nanoseconds: 0)

    init(_ description: LinkDescription, start: Timestamp?) {
        self.description = description
        self.start = start
    }

    var link: NetworkLink { description.link }
    var name: String { description.link.name }

    /// The counts, those that passed the end of 32 bits added; nil before the first reading.
    var counted: LinkCounters? {
        guard var counted = raw, let carried else { return raw }
        counted.add(carried)
        return counted
    }

    /// What it has received and sent according to the newest reading; nil without one.
    var bytes: RateMeter.Pair<UInt64>? {
        guard isFresh, let received = raw?[.receivedBytes], let sent = raw?[.sentBytes] else { return nil }
        return RateMeter.Pair(receive: received, transmit: sent)
    }

    /// Takes what the kernel reports about it now; true when something changed.
    func describe(_ new: LinkDescription) -> Bool {
        guard new != description else { return false }
        description = new
        return true
    }

    /// Begins a new round of readings.
    func beginReading() {
        isFresh = false
        step = nil
    }

    /// Takes one reading.
    func observe(_ new: LinkCounters, boot: String?, at now: MonotonicInstant) -> LinkVerdict {
        // An interrupted dump may bring a device twice.
        guard !isFresh else { return .ok }
        let seen = CounterComparison.Evidence(
            carrierChanges: description.carrierChanges,
            boot: boot,
            kind: description.link.kind
        )
        defer {
            raw = new
            evidence = seen
            readAt = now
            isFresh = true
        }
        guard let old = raw else { return .first }
        elapsed = now.since(readAt)
        let comparison = CounterComparison(
            old: old,
            new: new,
            before: evidence,
            now: seen,
            elapsed: elapsed,
            speed: link.isPhysical ? speed?.bytesPerSecond : nil
        )
        let verdict = comparison.verdict
        switch verdict {
        case .ok, .wrapped: advance(old, new, verdict)
        case .first, .reset, .recreated, .renamed: carried = nil
        }
        return verdict
    }

    private func advance(_ old: LinkCounters, _ new: LinkCounters, _ verdict: LinkVerdict) {
        var step = new.step(since: old)
        guard verdict == .wrapped else {
            self.step = step
            return
        }
        var carried = carried ?? LinkCounters()
        for field in LinkCounters.Field.allCases {
            guard let before = old[field], let now = new[field], now < before else { continue }
            step[field] = CounterComparison.range &- before &+ now
            carried[field] = (carried[field] ?? 0) &+ CounterComparison.range
        }
        self.carried = carried
        self.step = step
    }
}

extension LinkDevice {
    /// The attributes of the info series; what the device has not is left out.
    ///
    /// `name` returns the name of another device of the namespace by its number.
    func madeInformation(_ name: (Int32) -> String?) -> [Attribute] {
        let link = description.link
        let texts: [(String, String?)] = [
            ("network.interface.name", link.name),
            ("sonde.link.index", String(link.index)),
            ("sonde.link.kind", LinkKind.word(of: link)),
            ("sonde.link.type", link.kind),
            ("sonde.link.operstate", description.operationalState?.word),
            ("sonde.link.adminstate", link.isUp ? "up" : "down"),
            ("sonde.link.address", description.address),
            ("sonde.link.broadcast", description.broadcast),
            ("sonde.link.alias", description.alias),
            ("sonde.link.duplex", speed?.duplex?.rawValue),
            ("sonde.link.master", link.master.map { name($0) ?? String($0) }),
            // In another namespace the number means another device.
            ("sonde.link.lower", link.hasForeignPeer ? nil : link.lower.flatMap { $0 == 0 ? nil : name($0) }),
            ("sonde.link.peer_namespace", description.peerNamespace.map(String.init)),
            ("sonde.link.group", description.group.map(String.init)),
            ("sonde.link.hardware_type", String(description.hardwareType)),
            ("sonde.link.flags", "0x" + String(description.flags, radix: 16)),
        ]
        return texts.compactMap { key, value in value.flatMap { $0.isEmpty ? nil : Attribute(key, $0) } }
    }
}

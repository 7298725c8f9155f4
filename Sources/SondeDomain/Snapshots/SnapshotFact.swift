/// What a series gives a snapshot beside its readings.
public enum SnapshotFact: Hashable, Sendable {
    /// An interface belongs to the uplinks.
    case uplink(String)
    /// The network namespace that the source is in.
    case namespace(Snapshot.Namespace)
    /// How long the time is that peaks are averages over, of an interface or (nil) of all uplinks together.
    case peakStep(String?)
    /// The source looks at DNS that way, by packets or by what a resolver writes.
    case dns(PluginDescriptor.View)
    /// Queries that were seen on the wire on their way to a server of this host.
    case serverQueries(NameServer)
    /// Queries in a log, and whether they came encrypted as far as it records that.
    case logQueries(isEncrypted: Bool)
    /// Where the resolver of the log is asked.
    case resolver(NameServer)
    /// What an interface received, as one of two counts of the same stretches.
    case received(ReceivedCount)
    /// Whether a filter leaves traffic out of a capture.
    case captureFiltered
    /// Whether an interface is captured on.
    case captureActive(String)
    /// Packets of a capture that were dropped.
    case captureDrops
    /// Packets of a network that the kernel has dropped for a reason.
    case dropReason(String)
    /// The source knows the reasons of drops.
    case dropSource
    /// Packets that are counted as dropped without a reason.
    case dropCounter(DropCounter)

    /// What a series gives, or nil: nothing.
    public init?(_ series: Series) {
        switch series.name {
        case "sonde.network.uplink":
            guard let name = series.attribute("network.interface.name") else { return nil }
            self = .uplink(name)
        case "sonde.network.namespace":
            guard let name = series.attribute("sonde.netns") else { return nil }
            let inode = series.attribute("sonde.netns.id").flatMap { UInt64($0) }
            self = .namespace(Snapshot.Namespace(name: name, inode: inode))
        case "sonde.network.host.rate.step": self = .peakStep(nil)
        case "sonde.network.interface.rate.step":
            guard let name = series.attribute("network.interface.name") else { return nil }
            self = .peakStep(name)
        case "sonde.capture.received.io", "sonde.capture.received.count":
            guard let count = ReceivedCount(series) else { return nil }
            self = .received(count)
        case "sonde.capture.filtered": self = .captureFiltered
        case "sonde.capture.active":
            guard let name = series.attribute("network.interface.name") else { return nil }
            self = .captureActive(name)
        case "sonde.capture.packet.dropped": self = .captureDrops
        default:
            guard let fact = Self.dns(series) ?? Self.drops(series) else { return nil }
            self = fact
        }
    }

    /// What a series of a source with that view gives: what is compared with another view counts only if the
    /// plugin's description declares that view.
    public init?(_ series: Series, sees: Set<PluginDescriptor.View>) {
        guard let fact = SnapshotFact(series), fact.view.map({ sees.contains($0) }) ?? true else { return nil }
        self = fact
    }

    private static func drops(_ series: Series) -> SnapshotFact? {
        switch series.name {
        case "sonde.drop.packet.count":
            // Those of no network were none of a netstat's, and most of them no loss.
            guard let reason = series.attribute("sonde.drop.reason"), series.attribute("network.type") != "none" else {
                return .dropSource
            }
            return .dropReason(reason)
        // What that source reports at every commit, also without a drop.
        case "sonde.trace.tcp.handshake.count", "sonde.trace.tcp.reset.received": return .dropSource
        default: return DropCounter(series).map { .dropCounter($0) }
        }
    }

    private static func dns(_ series: Series) -> SnapshotFact? {
        switch series.name {
        case "sonde.dns.wire.query.count": return .dns(.wire)
        case "sonde.dns.resolver.query.count":
            let plain: Set = ["udp", "tcp"]
            return .logQueries(isEncrypted: series.attribute("network.transport").map { !plain.contains($0) } ?? false)
        case "sonde.dns.wire.server.query.count": return NameServer(series).map { .serverQueries($0) } ?? .dns(.wire)
        case "sonde.dns.resolver.address": return NameServer(series).map { .resolver($0) }
        // What these sources report at every commit, also without a request.
        case "sonde.dns.wire.message.malformed": return .dns(.wire)
        case "sonde.dns.log.io", "sonde.dns.dnstap.frame.count": return .dns(.log)
        default: return nil
        }
    }
}

/// Where a name server is asked.
public struct NameServer: Hashable, Sendable {
    /// The address as text, IPv6 in the form of RFC 5952; `0.0.0.0` and `::` mean every address of their family.
    public var address: String
    /// The port.
    public var port: UInt16

    /// A name server.
    public init(_ address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// What `server.address` and `server.port` of a series name.
    init?(_ series: Series) {
        guard let address = series.attribute("server.address"),
            let port = series.attribute("server.port").flatMap({ UInt16($0) })
        else { return nil }
        self.init(address, port: port)
    }

    /// Whether what is sent to `other` reaches this one.
    public func includes(_ other: NameServer) -> Bool {
        guard port == other.port else { return false }
        let isIPv6 = other.address.contains(":")
        return address == other.address || address == (isIPv6 ? "::" : "0.0.0.0")
    }
}

/// One of the counts of what an interface received.
public struct ReceivedCount: Hashable, Sendable {
    /// What can count received packets and bytes.
    public enum Counter: String, Hashable, Sendable {
        /// The source that captures.
        case capture
        /// The kernel.
        case kernel
    }

    /// What was counted.
    public enum Unit: Hashable, Sendable {
        case bytes
        case packets
    }

    /// The interface.
    public var interface: String
    /// What has counted.
    public var counter: Counter
    /// What was counted.
    public var unit: Unit

    /// A count.
    public init(_ interface: String, _ counter: Counter, _ unit: Unit) {
        self.interface = interface
        self.counter = counter
        self.unit = unit
    }

    init?(_ series: Series) {
        guard let name = series.attribute("network.interface.name"),
            let counter = series.attribute("sonde.counted_by").flatMap(Counter.init)
        else { return nil }
        self.init(name, counter, series.name == "sonde.capture.received.io" ? .bytes : .packets)
    }
}

/// What a series tells a snapshot beside its readings.
public enum SnapshotFact: Hashable, Sendable {
    /// Which side of DNS a source looks at.
    public enum DNSView: Hashable, Sendable {
        /// Packets.
        case wire
        /// What a resolver writes.
        case log
    }

    /// An interface belongs to the uplinks.
    case uplink(String)
    /// The network namespace that the source is in.
    case namespace(Snapshot.Namespace)
    /// How long the intervals are that peaks are averages over.
    case peakStep
    /// The source looks at DNS that way.
    case dns(DNSView)
    /// Bytes that were captured on an interface.
    case captured(String)
    /// Packets of a capture that were dropped.
    case captureDrops

    /// What a series tells, or nil: nothing.
    public init?(_ series: Series) {
        switch series.name {
        case "sonde.network.uplink":
            guard let name = series.attribute("network.interface.name") else { return nil }
            self = .uplink(name)
        case "sonde.network.namespace":
            guard let name = series.attribute("sonde.netns") else { return nil }
            let inode = series.attribute("sonde.netns.id").flatMap { UInt64($0) }
            self = .namespace(Snapshot.Namespace(name: name, inode: inode))
        case "sonde.network.host.rate.step": self = .peakStep
        case "sonde.capture.io":
            guard let name = series.attribute("network.interface.name") else { return nil }
            self = .captured(name)
        case "sonde.capture.packet.dropped": self = .captureDrops
        case "sonde.dns.query.count":
            self = .dns(series.attribute("sonde.dns.role") == nil ? .log : .wire)
        default: return nil
        }
    }
}

internal import SondeDomain
internal import SondePluginKit

/// How many devices of each kind there are.
struct KindCounts {
    /// The kind of those that are too many to be followed.
    static let beyondLimit = "beyond_limit"
    /// The kernel has some forty kinds.
    private static let limit = 64

    private var counts: [String: UInt64] = [:]
    private var handles: [String: SeriesHandle] = [:]

    init() {}

    /// Counts from zero.
    mutating func count(_ links: some Sequence<NetworkLink>, beyondLimit: Int) {
        counts = counts.mapValues { _ in 0 }
        for link in links {
            let kind = LinkKind.word(of: link)
            guard counts[kind] != nil || counts.count < Self.limit else { continue }
            counts[kind, default: 0] &+= 1
        }
        if beyondLimit > 0 || counts[Self.beyondLimit] != nil {
            counts[Self.beyondLimit] = UInt64(clamping: beyondLimit)
        }
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        for handle in handles.values { host.closeSeries(handle) }
        handles = [:]
        counts = [:]
    }

    /// Appends every count; a kind that was there once and is not any more is 0.
    mutating func append(to samples: inout SampleBuffer, _ host: PluginHost) {
        for (kind, count) in counts {
            let handle =
                handles[kind] ?? host.openSeries(LinkMetrics.count, [Attribute("sonde.link.kind", kind)])
            handles[kind] = handle
            samples.append(handle, count)
        }
    }
}

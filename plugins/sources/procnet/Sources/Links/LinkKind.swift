internal import SondeDomain
internal import SondePluginKit

/// The word in the attribute `sonde.link.kind`: what sort of device it is.
enum LinkKind {
    static let physical = "physical"
    static let loopback = "loopback"

    /// Kinds of the kernel (`rtnl_link_ops.kind`) that are called by another word here.
    private static let words: [String: String] = [
        "macvtap": "macvlan", "ipvtap": "ipvlan", "tun": "tun",
        "gre": "tunnel", "gretap": "tunnel", "erspan": "tunnel", "ip6gre": "tunnel", "ip6gretap": "tunnel",
        "ip6erspan": "tunnel", "ipip": "tunnel", "ip6tnl": "tunnel", "sit": "tunnel", "vti": "tunnel",
        "vti6": "tunnel", "xfrm": "tunnel", "vxlan": "tunnel", "geneve": "tunnel", "wireguard": "tunnel",
        "gtp": "tunnel", "bareudp": "tunnel", "ppp": "tunnel", "amt": "tunnel", "ovpn": "tunnel",
    ]

    /// The word of a device; the kernel's own where it needs no other (`bridge`, `bond`, `team`, `vlan`, `veth`).
    static func word(of link: NetworkLink) -> String {
        if link.isLoopback { return loopback }
        guard let kind = link.kind else { return physical }
        return words[kind] ?? kind
    }
}

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

internal import SondeDomain

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

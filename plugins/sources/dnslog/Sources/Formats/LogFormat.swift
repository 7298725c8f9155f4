/// The formats of resolver logs that are understood, and dnstap.
package enum LogFormat: String, CaseIterable {
    /// unbound with `log-queries` and `log-replies`.
    case unbound
    /// BIND 9: the categories queries, query-errors, security and lame-servers.
    case bind
    /// dnsmasq with `log-queries`, and Pi-hole, which is one.
    case dnsmasq
    /// PowerDNS Recursor with `quiet=no`, structured or classic.
    case powerdns
    /// Knot Resolver with the layer `kresd.lua`.
    case kresd
    /// CoreDNS with the plugin `log`.
    case coredns
    /// The query log of AdGuard Home.
    case adguard
    /// Messages of dnstap instead of lines, from whatever resolver.
    case dnstap

    /// How lines of this format are tagged where several programs write one log.
    @inline(always)
    var tag: LogTag {
        switch self {
        case .unbound: .unbound
        case .bind: .named
        case .dnsmasq: .dnsmasq
        case .powerdns: .powerdns
        case .kresd: .kresd
        case .coredns: .coredns
        case .adguard, .dnstap: .none
        }
    }
}

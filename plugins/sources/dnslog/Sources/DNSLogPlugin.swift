public import CSondePlugin
internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit

extension DNSLogSource {
    /// Made again at each call, so that the lists are not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "dnslog",
            kind: .source,
            version: "1.0.0",
            summary:
                "Reads what resolvers log or send as dnstap: unbound, BIND, dnsmasq, PowerDNS, Knot, CoreDNS, AdGuard Home.",
            stability: .experimental,
            needs: ["read access to the log"] + LogFormat.allCases.map(\.contents),
            options: options,
            metrics: LogMetrics.all.map(\.atItsLevel),
            errors: errors,
            sees: [.log]
        )
    }
}

extension LogFormat {
    /// What it contains and what not, in one line.
    fileprivate var contents: String {
        let missing = LogCapability.allCases.filter { !capabilities.contains($0) }
        let contained = capabilities.map(\.rawValue).joined(separator: ", ")
        guard !missing.isEmpty else { return "\(rawValue) reports \(contained)" }
        return "\(rawValue) reports \(contained); not \(missing.map(\.rawValue).joined(separator: ", "))"
    }
}

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `dnslog.so`.
@c(sonde_plugin_dnslog)
public func sonde_plugin_dnslog() -> UnsafePointer<sonde_plugin> { exportPlugin(DNSLogSource.self) }

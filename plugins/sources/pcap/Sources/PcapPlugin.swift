public import CSondePlugin
internal import SondeDNS
internal import SondeDomain
internal import SondePluginKit

extension PcapSource {
    /// Made again at each call, so that the lists are not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "pcap",
            kind: .source,
            version: "1.0.0",
            summary: "Captures packets: flows, TCP health and DNS from the wire; reads capture files offline.",
            stability: .experimental,
            needs: ["CAP_NET_RAW for live capture", "libpcap 1.9 or later"],
            unit: [
                "CapabilityBoundingSet=CAP_NET_RAW", "AmbientCapabilities=CAP_NET_RAW",
                "RestrictAddressFamilies=AF_PACKET",
            ],
            options: options,
            metrics: metrics,
            errors: errors,
            sees: [.wire]
        )
    }

    /// All its metrics.
    static var metrics: [MetricDefinition] {
        let all =
            CaptureMetrics.all + FrameMetrics.all + FlowMetrics.all + TCPMetrics.all + DNSMetrics.lanes
            + DNSMetrics.totals + TopMetrics.all
        return all.map(\.atItsLevel)
    }
}

/// It reads what anybody may send: it is confined once its interfaces are open (`SONDE_PLUGIN_CONFINED` of the contract).
@section("sonde_confined") @used
let confinement: UInt32 = 1

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `pcap.so`.
@c(sonde_plugin_pcap)
public func sonde_plugin_pcap() -> UnsafePointer<sonde_plugin> { exportPlugin(PcapSource.self) }

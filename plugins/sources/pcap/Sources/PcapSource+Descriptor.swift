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

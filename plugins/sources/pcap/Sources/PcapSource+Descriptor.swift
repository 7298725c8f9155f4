internal import SondeDomain
internal import SondePluginKit

extension PcapSource {
    /// Made anew at each call, so that the lists are not kept in memory.
    static var descriptor: PluginDescriptor {
        PluginDescriptor(
            name: "pcap",
            kind: .source,
            version: "1.0.0",
            summary: "Captures packets, and reads capture files offline.",
            stability: .experimental,
            needs: ["CAP_NET_RAW for live capture", "libpcap 1.9 or later"],
            options: options,
            metrics: CaptureMetrics.all,
            errors: errors
        )
    }
}

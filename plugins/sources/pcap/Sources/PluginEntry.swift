public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `pcap.so`.
@c(sonde_plugin_pcap)
public func sonde_plugin_pcap() -> UnsafePointer<sonde_plugin> { exportPlugin(PcapSource.self) }

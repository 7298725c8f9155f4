public import CSondePlugin
internal import SondePluginKit

/// It reads what anybody may send: it is confined once its interfaces are open (`SONDE_PLUGIN_CONFINED` of the contract).
@section("sonde_confined") @used
let confinement: UInt32 = 1

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `pcap.so`.
@c(sonde_plugin_pcap)
public func sonde_plugin_pcap() -> UnsafePointer<sonde_plugin> { exportPlugin(PcapSource.self) }

public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `dnslog.so`.
@c(sonde_plugin_dnslog)
public func sonde_plugin_dnslog() -> UnsafePointer<sonde_plugin> { exportPlugin(DNSLogSource.self) }

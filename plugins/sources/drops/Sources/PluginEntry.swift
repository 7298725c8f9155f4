public import CSondePlugin
internal import SondePluginKit

/// It needs privileges to load its programs and none to read what they count: it is confined once they run
/// (`SONDE_PLUGIN_CONFINED` of the contract).
@section("sonde_confined") @used
let confinement: UInt32 = 1

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `drops.so`.
@c(sonde_plugin_drops)
public func sonde_plugin_drops() -> UnsafePointer<sonde_plugin> { exportPlugin(DropsSource.self) }

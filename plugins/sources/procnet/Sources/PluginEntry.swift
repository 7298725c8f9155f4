public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `procnet.so`.
@c(sonde_plugin_procnet)
public func sonde_plugin_procnet() -> UnsafePointer<sonde_plugin> { exportPlugin(ProcNetSource.self) }

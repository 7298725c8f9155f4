public import CSondePlugin
internal import SondePluginKit

/// The entry of the shared object.
@c(sonde_plugin_procnet)
public func sonde_plugin_procnet() -> UnsafePointer<sonde_plugin> { exportPlugin(ProcNetSource.self) }

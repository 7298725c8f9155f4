public import CSondePlugin
internal import SondePluginKit

/// What the daemon looks up in the shared object.
@c(sonde_plugin_stdout)
public func sonde_plugin_stdout() -> UnsafePointer<sonde_plugin> {
    exportPlugin(StdoutSink.self)
}

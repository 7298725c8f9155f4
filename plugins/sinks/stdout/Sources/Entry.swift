public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in the shared object.
@c(sonde_plugin_stdout) public func sonde_plugin_stdout() -> UnsafePointer<sonde_plugin> {
    exportPlugin(StdoutSink.self)
}

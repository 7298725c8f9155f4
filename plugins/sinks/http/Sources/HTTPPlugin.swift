public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks up in `http.so`.
@c(sonde_plugin_http) public func sonde_plugin_http() -> UnsafePointer<sonde_plugin> {
    exportPlugin(HTTPSink.self)
}

public import CSondePlugin
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `file.so`.
@c(sonde_plugin_file) public func sonde_plugin_file() -> UnsafePointer<sonde_plugin> {
    exportPlugin(FileSink.self)
}

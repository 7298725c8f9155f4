public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks up in `scrape.so`.
@c(sonde_plugin_scrape) public func sonde_plugin_scrape() -> UnsafePointer<sonde_plugin> {
    exportPlugin(ScrapeSink.self)
}

extension ScrapeSink {
    static let descriptor = PluginDescriptor(
        name: "scrape",
        kind: .sink,
        version: "0.1.0",
        summary: "Answers scrapes by Prometheus and others with the last point of every live series.",
        needs: ["libmicrohttpd 0.9.75 or later", "an address to listen at"],
        options: ScrapeConfiguration.options,
        errors: [
            PluginDescriptor.ErrorDefinition(
                ScrapeCode.address, meaning: "listen, socket_mode or paths cannot be used as it is written.",
                recovery: "Correct the option that the message names."),
            PluginDescriptor.ErrorDefinition(
                ScrapeCode.access,
                meaning:
                    "The credentials are incomplete, or others than this host could read without them or unencrypted.",
                recovery: "Set auth and tls, or listen at 127.0.0.1; see allow_insecure."),
            PluginDescriptor.ErrorDefinition(
                ScrapeCode.certificate, meaning: "The certificate or its key cannot be used.",
                recovery: "Check tls.cert_file and tls.key_file; with an agent that runs, the one before stays in use."),
            PluginDescriptor.ErrorDefinition(
                ScrapeCode.listening, meaning: "The address cannot be listened at.",
                recovery: "See which program has the port (ss -ltnp), or choose another."),
            PluginDescriptor.ErrorDefinition(
                ScrapeCode.server, meaning: "The HTTP server has failed.",
                recovery: "It is started again; if this lasts, report it with the log."),
        ],
        delivery: .live,
        ends: true
    )
}

/// The sink's error codes.
enum ScrapeCode {
    static let address = "SND-SCR001"
    static let access = "SND-SCR002"
    static let certificate = "SND-SCR003"
    static let listening = "SND-SCR004"
    static let server = "SND-SCR005"
}

extension PluginError {
    /// The refusal of an option.
    static func refused(_ code: String, _ message: String, hint: String, option: String) -> PluginError {
        PluginError(code, .configuration, message, hint: hint, optionPath: option)
    }
}

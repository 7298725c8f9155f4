public import CSondePlugin
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in the shared object.
@c(sonde_plugin_stdout) public func sonde_plugin_stdout() -> UnsafePointer<sonde_plugin> {
    exportPlugin(StdoutSink.self)
}

extension StdoutSink {
    static let descriptor = PluginDescriptor(
        name: "stdout",
        kind: .sink,
        version: "1.0.0",
        summary: "Shows snapshots as a live table on the terminal, or writes metrics as lines to standard output.",
        options: [
            OptionDefinition(
                "format",
                .choice(["table"] + LineFormat.allCases.map(\.rawValue)),
                default: "table",
                help: "What is written: a table of snapshots, or one line per metric point."
            ),
            OptionDefinition(
                "color",
                .choice(["auto", "always", "never"]),
                default: "auto",
                help: "Whether the table has color; auto: on a terminal, unless NO_COLOR is set."
            ),
            OptionDefinition(
                "rows",
                .choice(["busy", "all"]),
                default: "busy",
                help: "Which rows the table has; busy: without those that were 0 for all of the last hour."
            ),
        ],
        errors: [
            PluginDescriptor.ErrorDefinition(
                OutputCode.closed,
                meaning: "Standard output has no reader any more.",
                recovery: "None is needed when the reader was meant to end; the agent stops quietly."
            ),
            PluginDescriptor.ErrorDefinition(
                OutputCode.blocked,
                meaning: "The reader of standard output has stopped reading.",
                recovery: "Resume the reader (Ctrl-Q on a terminal); the batch is written on where it stopped."
            ),
            PluginDescriptor.ErrorDefinition(
                OutputCode.failed,
                meaning: "Writing to standard output failed.",
                recovery: "Look at the message; a full disk is the usual cause when output goes to a file."
            ),
            PluginDescriptor.ErrorDefinition(
                OutputCode.option,
                meaning: "An option has a value that the sink does not know.",
                recovery: "Use one of the values in the plugin's description."
            ),
        ],
        delivery: .live
    )
}

/// The sink's error codes.
enum OutputCode {
    static let closed = "SND-OUT001"
    static let blocked = "SND-OUT002"
    static let failed = "SND-OUT003"
    static let option = "SND-OUT004"
}

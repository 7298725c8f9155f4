import SondeDomain

extension FakePluginCatalog {
    /// Descriptors with the names and options of procnet, stdout, file and http, and a source `every` with an option of
    /// each type.
    public static func standard() -> FakePluginCatalog {
        FakePluginCatalog([procnet, stdout, file, http, every])
    }

    private static let procnet = PluginDescriptor(
        name: "procnet", kind: .source, version: "1.0.0", summary: "The kernel's network counters.",
        options: [
            OptionDefinition("proc", .string, default: "/proc", help: "Where procfs is mounted."),
            OptionDefinition("tables", .list, default: "[dev, snmp]", help: "The tables to read."),
        ])

    private static let stdout = PluginDescriptor(
        name: "stdout", kind: .sink, version: "1.0.0", summary: "Writes to standard output.",
        options: [
            OptionDefinition(
                "format", .choice(["table", "json", "influx", "prometheus"]), default: "table", help: "The format."),
            OptionDefinition("color", .choice(["auto", "always", "never"]), default: "auto", help: "Colors."),
        ],
        delivery: .live)

    private static let file = PluginDescriptor(
        name: "file", kind: .sink, version: "1.0.0", summary: "Appends lines to a file.",
        options: [
            OptionDefinition("path", .string, required: true, help: "The file."),
            OptionDefinition(
                "format", .choice(["json", "influx", "prometheus"]), default: "json", help: "The format."),
            OptionDefinition("sync", .choice(["none", "batch", "rotate"]), default: "batch", help: "When to sync."),
            OptionDefinition("rotate.size", .size(0...(1 << 50)), default: "100MiB", help: "Rotates at this size."),
            OptionDefinition("rotate.age", .duration(.zero...Nanoseconds(.max)), default: "0s", help: "At this age."),
            OptionDefinition("rotate.keep", .integer(0...1_000), default: "5", help: "How many old files stay."),
            OptionDefinition("rotate.compress", .choice(["none", "gzip"]), default: "none", help: "Of old files."),
            OptionDefinition("mode", .string, default: "0640", help: "The permissions of the file."),
        ],
        delivery: .durable)

    private static let http = PluginDescriptor(
        name: "http", kind: .sink, version: "1.0.0", summary: "Posts batches over HTTP.",
        options: [
            OptionDefinition("url", .string, required: true, help: "Where to."),
            OptionDefinition("format", .choice(["json"]), default: "json", help: "The format."),
            OptionDefinition("headers", .map, help: "More header fields."),
            OptionDefinition("auth.bearer", .string, secret: true, help: "A bearer token."),
            OptionDefinition("auth.basic.username", .string, help: "A user."),
            OptionDefinition("auth.basic.password", .string, secret: true, help: "The user's password."),
            OptionDefinition(
                "timeout", .duration(.milliseconds(100)...Nanoseconds.seconds(600)), default: "30s",
                help: "Of a request."),
            OptionDefinition(
                "connect_timeout", .duration(.milliseconds(100)...Nanoseconds.seconds(600)), default: "5s",
                help: "Of a connection."),
            OptionDefinition("proxy", .string, default: "\"\"", help: "A proxy."),
            OptionDefinition("tls.cert_file", .string, help: "The agent's certificate."),
            OptionDefinition("tls.key_file", .string, help: "Its key."),
            OptionDefinition("tls.ca_file", .string, help: "The authorities to trust."),
            OptionDefinition("tls.min_version", .choice(["1.2", "1.3"]), default: "1.2", help: "The oldest TLS."),
            OptionDefinition("allow_insecure", .bool, default: "false", help: "Allows credentials without TLS."),
        ],
        delivery: .durable)

    private static let every = PluginDescriptor(
        name: "every", kind: .source, version: "1.0.0", summary: "An option of each type.",
        options: [
            OptionDefinition("text", .string, help: "A text."),
            OptionDefinition("word", .choice(["red", "green", "blue"]), help: "A word."),
            OptionDefinition("flag", .bool, help: "A flag."),
            OptionDefinition("count", .integer(1...100), help: "A whole number."),
            OptionDefinition("ratio", .double(0...1), help: "A number."),
            OptionDefinition("span", .duration(.zero...Nanoseconds(.max)), help: "A duration."),
            OptionDefinition("bytes", .size(0...Int64.max), help: "A size."),
            OptionDefinition("hosts", .list, help: "A list."),
            OptionDefinition("pairs", .map, help: "A map."),
            OptionDefinition(
                "targets",
                .entries([
                    OptionDefinition("host", .string, required: true, help: "A text."),
                    OptionDefinition("port", .integer(1...65_535), default: "53", help: "A whole number."),
                    OptionDefinition("token", .string, secret: true, help: "A secret."),
                    OptionDefinition("tags", .list, help: "A list."),
                ]), help: "A list of mappings."),
            OptionDefinition("deep.er.text", .string, help: "A text far down."),
        ])
}

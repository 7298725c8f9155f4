internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// Everything that one instance was configured with, checked.
struct ScrapeConfiguration {
    /// One path that is served, with what is on its page.
    struct Path {
        /// From the slash on.
        let path: String
        /// By the names that the agent uses.
        let metrics: GlobFilter
    }

    /// Where it listens.
    let address: ListenAddress
    /// The permission of a Unix socket.
    let socketMode: mode_t
    /// Nil: plain HTTP.
    let certificate: CertificateFiles?
    /// What a request has to show.
    let authorization: Authorization
    /// What is served; the first one is `/metrics`.
    let paths: [Path]
    /// Whether lines have the times of their points.
    let hasTimes: Bool
    /// Whether OpenMetrics has the starts of counts.
    let hasStarts: Bool
    /// For how long a silent series stays.
    let staleness: Nanoseconds
    /// How many clients are served at once.
    let mostConnections: Int

    /// Reads and checks the options; the first one at fault is named.
    init(_ options: Options) throws(PluginError) {
        address = try ListenAddress(options.string("listen") ?? ListenAddress.usual)
        socketMode = try Self.mode(options.string("socket_mode") ?? "0660")
        certificate = try CertificateFiles(options)
        authorization = try Authorization(options)
        paths = try Self.paths(options)
        hasTimes = options.bool("timestamps") ?? false
        hasStarts = options.bool("created") ?? false
        staleness = options.duration("stale_after") ?? .seconds(300)
        mostConnections = Int(options.integer("max_connections") ?? 32)
        guard !(options.bool("allow_insecure") ?? false), !address.isLocal else { return }
        guard certificate != nil, authorization.isSet else {
            throw .refused(
                ScrapeCode.access,
                certificate == nil
                    ? "others than this host would read at \(address.text) what travels unencrypted"
                    : "everyone who reaches \(address.text) could read it",
                hint: "Set tls.cert_file and auth, listen at 127.0.0.1, or set allow_insecure: true.",
                option: "listen")
        }
    }

    private static func mode(_ text: String) throws(PluginError) -> mode_t {
        let digits = text.utf8.allSatisfy { (0x30...0x37).contains($0) }
        guard digits, (3...4).contains(text.utf8.count), let mode = mode_t(text, radix: 8), mode <= 0o777 else {
            throw .refused(
                ScrapeCode.address, "socket_mode '\(text)' is no permission", hint: "Write it like \"0660\".",
                option: "socket_mode")
        }
        return mode
    }

    private static func paths(_ options: Options) throws(PluginError) -> [Path] {
        var paths = [Path(path: "/metrics", metrics: GlobFilter(include: [], exclude: []))]
        for entry in options.entries("paths") {
            let option = entry.path("path")
            let path = entry.string("path") ?? ""
            guard path.utf8.first == 0x2f, path.utf8.count <= 256, path.utf8.allSatisfy(isPathByte) else {
                throw .refused(
                    ScrapeCode.address, "\(option) '\(path)' is no path", hint: "Write it like /metrics/tcp.",
                    option: option)
            }
            guard !(paths.map(\.path) + ScrapeRoutes.reserved).contains(path) else {
                throw .refused(
                    ScrapeCode.address, "\(option) '\(path)' is served already", hint: "Choose another.", option: option
                )
            }
            paths.append(Path(path: path, metrics: GlobFilter(include: entry.list("metrics"), exclude: [])))
        }
        return paths
    }

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2d, 0x2e, 0x2f, 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a, 0x7e: true
        default: false
        }
    }

    /// Every option of the sink.
    static let options =
        [
            OptionDefinition(
                "listen", .string, default: ListenAddress.usual,
                help: "Where it listens: an address and a port, :9469 for all addresses, or unix:/path.",
                example: "\"[::1]:9469\""),
            OptionDefinition(
                "socket_mode", .string, default: "0660", help: "The permission of a Unix socket."),
            OptionDefinition(
                "paths",
                .entries([
                    OptionDefinition("path", .string, required: true, help: "The path, /metrics/tcp."),
                    OptionDefinition(
                        "metrics", .list, required: true,
                        help: "What is on it: names of metrics as the agent has them, with * and ?."),
                ]),
                help: "Pages beside /metrics, each with a part of the metrics.",
                example: "[{ path: /metrics/dns, metrics: [\"sonde.dns.*\"] }]"),
            OptionDefinition(
                "timestamps", .bool, default: "false",
                help:
                    "Whether lines have the times of their points; Prometheus takes that of the scrape without them, and"
                    + " marks no series as ended with them."),
            OptionDefinition(
                "created", .bool, default: "false",
                help: "Whether OpenMetrics has the starts of counters and histograms, as further series."),
            OptionDefinition(
                "stale_after", .duration(.seconds(1)...(.seconds(7 * 86_400))), default: "5m",
                help: "For how long a series without a new point is served."),
            OptionDefinition(
                "max_connections", .integer(1...1_024), default: "32",
                help: "How many clients are connected at most; beyond it, the one that is idle longest is closed."),
            OptionDefinition(
                "allow_insecure", .bool, default: "false",
                help: "Allows other addresses than loopback without tls and auth."),
        ] + Authorization.options + CertificateFiles.options
}

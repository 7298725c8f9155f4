internal import SondeDomain
internal import SondePluginKit

extension FileSink {
    static let descriptor = PluginDescriptor(
        name: "file",
        kind: .sink,
        version: "1.0.0",
        summary: "Appends lines to a file, rotates and compresses it; or keeps a page of the newest values.",
        needs: ["write access to the file and its directory", "zlib"],
        options: options,
        errors: errors,
        delivery: .durable
    )

    private static let options: [OptionDefinition] = [
        OptionDefinition(
            "path",
            .string,
            required: true,
            help: "The whole path of the file; its directory must exist.",
            example: "/var/log/sonde/metrics.ndjson"
        ),
        OptionDefinition(
            "format",
            .choice(FileSettings.Format.allCases.map(\.rawValue)),
            default: FileSettings.Format.json.rawValue,
            help: "What a line looks like; only json carries snapshots. prometheus_textfile replaces the file with "
                + "each batch: the newest value of every series, for node_exporter's textfile collector."
        ),
        OptionDefinition(
            "mode",
            .string,
            default: "0640",
            help: "The permission that a new file gets, whatever the umask; existing files keep theirs."
        ),
        OptionDefinition(
            "sync",
            .choice(["none", "batch", "rotate"]),
            default: "batch",
            help: "When bytes are forced to the disk: never, before a batch counts as delivered, or before a rotation."
        ),
        OptionDefinition(
            "rotate.size",
            .size(0...(1 << 50)),
            default: "100MiB",
            help: "A batch that would make the file larger goes to a new one; 0 is off."
        ),
        OptionDefinition(
            "rotate.age",
            .duration(.zero...Nanoseconds.seconds(10 * 366 * 86_400)),
            default: "0s",
            help: "A file older than this is rotated before the next batch; 0s is off."
        ),
        OptionDefinition(
            "rotate.keep",
            .integer(0...RotationPolicy.keepBound),
            default: "5",
            help: "How many rotated files are kept, the newest as path.1; 0 only when rotation is off."
        ),
        OptionDefinition(
            "rotate.compress",
            .choice(["none", "gzip"]),
            default: "none",
            help: "Whether rotated files are compressed, a little after each batch."
        ),
    ]
}

public import CSondePlugin
internal import SondeDomain
internal import SondePluginKit

// The contract gives the symbol its name.
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The entry that the daemon looks for in `file.so`.
@c(sonde_plugin_file) public func sonde_plugin_file() -> UnsafePointer<sonde_plugin> {
    exportPlugin(FileSink.self)
}

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
            .choice(FileConfiguration.Format.allCases.map(\.rawValue)),
            default: FileConfiguration.Format.json.rawValue,
            help: "What a line looks like; only json carries snapshots. prometheus_textfile replaces the file with "
                + "each batch: the newest value of every series, for node_exporter's textfile collector."
        ),
        OptionDefinition(
            "mode",
            .string,
            default: "0640",
            help: "The permission of a new file, independent of the umask; existing files keep theirs."
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

    private static let errors: [PluginDescriptor.ErrorDefinition] = optionErrors + storageErrors + upkeepErrors

    private static let optionErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL001",
            meaning: "An option has a value that cannot be used.",
            recovery: "Correct the option; the message says what it wants."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL002",
            meaning: "The file's directory does not exist.",
            recovery: "Create the directory or mount its disk; delivery resumes by itself."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL003",
            meaning: "The agent's user may not read and write the file or its directory.",
            recovery: "Change the owner or the mode that the hint names."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL004",
            meaning: "A directory, FIFO, socket or device is at the path.",
            recovery: "Name a regular file; for a stream use the plugin stdout."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL005",
            meaning: "The path leads nowhere: a loop of symbolic links or a name that is too long.",
            recovery: "Correct the path or its links."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL006",
            meaning: "Another sink, of this agent or another one, writes the file.",
            recovery: "Give every file sink its own path."
        ),
    ]

    private static let storageErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL010",
            meaning: "The disk is full; the batch was taken back from the file and waits in the spool.",
            recovery: "Free space, or lower rotate.size and rotate.keep."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL011",
            meaning: "The disk quota is used up; the batch was taken back and waits in the spool.",
            recovery: "Raise the quota, or lower rotate.size and rotate.keep."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL012",
            meaning: "The file has reached a size limit of the process or the file system.",
            recovery: "Set rotate.size below the limit."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL013",
            meaning: "The agent is out of file descriptors or memory.",
            recovery: "Raise the limit; delivery resumes by itself."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL020",
            meaning: "The file system is read-only.",
            recovery: "Remount it writable and look for disk errors in the kernel log."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL021",
            meaning: "The disk refused a read or a write.",
            recovery: "Look for disk errors in the kernel log."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL022",
            meaning: "The disk lost a write: forcing a batch to it failed, and the batch is written again.",
            recovery: "Look for disk errors in the kernel log; earlier lines may be damaged."
        ),
    ]

    private static let upkeepErrors: [PluginDescriptor.ErrorDefinition] = [
        PluginDescriptor.ErrorDefinition(
            "SND-FIL030",
            meaning: "The file could not be rotated and is still written; logged only.",
            recovery: "Let the agent's user write the directory; it is tried again every minute."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL031",
            meaning: "A rotated file could not be compressed and stays as it is; logged only.",
            recovery: "Free space; it is tried again at the next rotation."
        ),
        PluginDescriptor.ErrorDefinition(
            "SND-FIL040",
            meaning: "The operating system reported another failure on the file.",
            recovery: "It is tried again; the message names the failure."
        ),
    ]
}

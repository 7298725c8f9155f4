internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// The options of one file sink, validated.
struct FileSettings: Sendable {
    /// When written bytes are forced to the disk.
    enum SyncPolicy: String, CaseIterable, Sendable {
        case none
        case batch
        case rotate
    }

    /// What the file has in it.
    enum Format: String, CaseIterable, Sendable {
        case json
        case influx
        case prometheus
        /// The newest value of each series, for the textfile collector of node_exporter.
        case textfile = "prometheus_textfile"

        /// How a batch is spelled that is appended; nil: the file is replaced instead.
        var lines: LineFormat? { LineFormat(rawValue: rawValue) }
    }

    let path: String
    let format: Format
    let mode: mode_t
    let sync: SyncPolicy
    let rotation: RotationPolicy

    init(_ options: Options) throws(PluginError) {
        path = try Self.path(options.string("path") ?? "")
        format = try Self.word(options, "format", default: .json)
        mode = try Self.mode(options.string("mode") ?? "0640")
        sync = try Self.word(options, "sync", default: .batch)
        rotation = try RotationPolicy(options)
    }

    private static func path(_ text: String) throws(PluginError) -> String {
        guard text.utf8.first == UInt8(ascii: "/") else {
            throw .option(
                "path",
                text.isEmpty ? "path is empty" : "path '\(text)' is relative",
                hint: "Write the whole path of the file, beginning with a slash."
            )
        }
        let name = FilePath.split(text).name
        guard !["", ".", ".."].contains(name) else {
            throw .option("path", "path '\(text)' names a directory", hint: "Add the name of the file.")
        }
        guard !text.utf8.contains(0), text.utf8.count + RotatedFiles.longestSuffix < Int(PATH_MAX) else {
            throw .option("path", "path has a NUL byte or is too long", hint: "Use a shorter path.")
        }
        guard name.utf8.count + RotatedFiles.longestSuffix <= Int(NAME_MAX) else {
            throw .option("path", "the file's name is too long for a rotated file", hint: "Use a shorter name.")
        }
        let streams = ["/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"]
        guard !streams.contains(where: text.hasPrefix) else {
            throw .option("path", "path '\(text)' is no file", hint: "Use the plugin 'stdout' for a stream.")
        }
        return text
    }

    private static func mode(_ text: String) throws(PluginError) -> mode_t {
        let digits = text.utf8
        let isOctal = digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }
        guard isOctal, (3...4).contains(digits.count), let mode = mode_t(text, radix: 8), mode <= 0o777 else {
            throw .option("mode", "mode '\(text)' is no file permission", hint: "Write it like \"0640\".")
        }
        guard mode & 0o600 == 0o600 else {
            throw .option(
                "mode",
                "mode '\(text)' keeps the agent itself from reading and writing the file",
                hint: "Give the owner read and write: \"0640\"."
            )
        }
        return mode
    }

    static func word<Word: RawRepresentable<String> & CaseIterable>(
        _ options: Options,
        _ key: String,
        default word: Word
    ) throws(PluginError) -> Word {
        guard let text = options.string(key) else { return word }
        guard let found = Word(rawValue: text) else {
            let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .option(key, "\(key) '\(text)' is unknown", hint: "Use one of: \(words).")
        }
        return found
    }
}

internal import Glibc
internal import SondeDomain
internal import SondeFormats
internal import SondePluginKit

/// The options of one file sink, validated.
struct FileConfiguration: Sendable {
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

        /// How an appended batch is encoded; nil: the file is replaced instead.
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

/// When a file is rotated away, and what is kept of it.
struct RotationPolicy: Sendable {
    /// What is done with a rotated file.
    enum Compression: String, CaseIterable, Sendable {
        case none
        case gzip
    }

    /// Bytes that a file may have; nil: any.
    let size: Int64?
    /// How old a file may get; nil: any age.
    let age: Nanoseconds?
    /// How many rotated files are kept, `path.1 … path.N`.
    let keep: Int
    let compression: Compression

    /// Names are tried one by one, so their number is bounded.
    static let keepBound: Int64 = 1_000

    init(_ options: Options) throws(PluginError) {
        let size = options.size("rotate.size") ?? 100 << 20
        let age = options.duration("rotate.age") ?? .zero
        let keep = options.integer("rotate.keep") ?? 5
        guard size >= 0 else {
            throw .option("rotate.size", "rotate.size is negative", hint: "Use 0 to switch it off.")
        }
        guard age >= .zero else {
            throw .option("rotate.age", "rotate.age is negative", hint: "Use 0 to switch it off.")
        }
        guard (0...Self.keepBound).contains(keep) else {
            throw .option("rotate.keep", "rotate.keep is \(keep)", hint: "Use 1 to \(Self.keepBound).")
        }
        guard keep > 0 || (size == 0 && age == .zero) else {
            throw .option(
                "rotate.keep",
                "rotate.keep is 0, so a rotation would delete what was just delivered",
                hint: "Keep at least 1 file, or switch rotation off with rotate.size: 0 and rotate.age: 0s."
            )
        }
        self.size = size == 0 ? nil : size
        self.age = age == .zero ? nil : age
        self.keep = Int(keep)
        compression = try FileConfiguration.word(options, "rotate.compress", default: .none)
    }

    /// Whether a file must go before `count` bytes are appended; an empty one never does.
    func isDue(length: Int64, startedAt: Timestamp?, appending count: Int, now: Timestamp) -> Bool {
        guard length > 0 else { return false }
        if let size, length > size &- Int64(count) { return true }
        guard let age, let startedAt else { return false }
        let (elapsed, overflow) = now.nanoseconds.subtractingReportingOverflow(startedAt.nanoseconds)
        return !overflow && elapsed >= age.value
    }
}

public import SondeDomain
internal import SondeFormats

/// How a sink writes a batch, as far as its options say so in the words that sinks use alike: `format` and `compression`.
public struct SinkEncoding {
    /// What it is called.
    public struct Name: Hashable, Sendable {
        /// The word of the option `format`.
        public var format: String
        /// The word of the option `compression`; nil: none.
        public var compression: String?
    }

    // What these packers make of what snappy makes of a batch: measured on batches of procnet, 23 KB of JSON and 10 KB of remote
    // write.
    private static let shares = ["snappy": 1, "gzip": 0.7, "zstd": 0.78, "lz4": 1.05]

    /// What it is called.
    public let name: Name
    private let makeEncoder: () -> any BatchEncoder

    /// Nil where the options do not say it, or say what is no format of points.
    public init?(_ values: OptionValues, _ options: [OptionDefinition]) {
        func word(_ key: String) -> String? {
            if case .string(let word) = values.values[key] { return word }
            return options.first { $0.key == key }?.defaultText
        }
        guard let format = word("format") else { return nil }
        switch format {
        case "prometheus_remote_write" where word("version") == "1": makeEncoder = { RemoteWriteEncoder() }
        case "prometheus_remote_write": makeEncoder = { RemoteWrite2Encoder() }
        case "otlp" where word("encoding") == "json": makeEncoder = { OTLPJSONEncoder() }
        case "otlp": makeEncoder = { OTLPEncoder() }
        default:
            guard let lines = LineFormat(rawValue: format) else { return nil }
            makeEncoder = { lines.makeEncoder() }
        }
        let packs = options.contains { $0.key == "compression" }
        // What is usual where the option has no default of its own, since it is another for each format.
        let usual = packs ? format == "prometheus_remote_write" ? "snappy" : "gzip" : nil
        let packer = word("compression") ?? usual
        name = Name(format: format, compression: packer == "none" ? nil : packer)
    }

    /// How many bytes a batch takes, about.
    func size(of batch: Batch) -> Int {
        var encoder = makeEncoder()
        var buffer = ByteBuffer()
        _ = encoder.encode(batch, into: &buffer)
        guard let compression = name.compression else { return buffer.count }
        let share = Self.shares[compression] ?? 1
        return Int(Double(SnappyBlock.packed(buffer.bytes).count) * share)
    }
}

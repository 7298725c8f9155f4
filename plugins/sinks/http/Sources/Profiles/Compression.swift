internal import SondeFormats
internal import SondeGzip
internal import SondePluginKit

/// How a body is packed, by the word of the option `compression`.
enum Compression: String, CaseIterable, Sendable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstd
    /// As the encoder has written it.
    case none
    /// The block format of snappy, as remote write wants it.
    case snappy

    /// The most bytes of a body for which a large window costs more than it saves: one interval of a quiet host.
    ///
    /// Two of them have the same lines, 22 KiB apart.
    private static let smallBody = 32 << 10

    /// The value of `Content-Encoding`, or nil for none.
    var contentEncoding: String? { self == .none ? nil : rawValue }

    /// The packed body; the same for the same body.
    func pack(_ body: [UInt8]) throws(PluginError) -> [UInt8] {
        switch self {
        case .none: return body
        case .gzip:
            var packed: [UInt8] = []
            packed.reserveCapacity(body.count / 8)
            let deflater = Deflater(body.count <= Self.smallBody ? .moderate : .usual)
            let isWhole = deflater?.deflate(body[...], isLast: true) { packed += $0 }
            guard isWhole == true else { throw .libcurl("no memory to compress the body") }
            return packed
        case .snappy where body.count <= SnappyBlock.longestBody: return SnappyBlock.packed(body)
        case .snappy, .zstd:
            guard let packer = try library() else { return body }
            guard let packed = packer.pack(body) else { throw .libcurl("\(rawValue) has refused the body") }
            return packed
        }
    }

    /// Loads the library that packs, where one is loaded at its first use, or says that it is not installed.
    @discardableResult
    func library() throws(PluginError) -> (any PackingLibrary)? {
        switch self {
        case .none, .gzip: nil
        case .snappy: try loaded(Snappy.loaded)
        case .zstd: try loaded(Zstd.loaded)
        }
    }

    /// A library, or the refusal of the option where there is none.
    func loaded<Library: PackingLibrary>(_ library: Library?) throws(PluginError) -> Library {
        if let library { return library }
        throw .refused(
            .address, "compression '\(rawValue)' needs \(Library.fileName), which cannot be loaded",
            hint: "Install it: apt-get install \(Library.package).", option: "compression")
    }
}

internal import Glibc
internal import SondeGzip
internal import SondePluginKit

/// How a body is packed, by the word of the option `compression`.
enum Compression: String, CaseIterable, Sendable {
    /// As the encoder has written it.
    case none
    /// RFC 1952.
    case gzip
    /// The block format of snappy, as remote write wants it.
    case snappy

    /// The value of `Content-Encoding`, or nil for none.
    var contentEncoding: String? { self == .none ? nil : rawValue }

    /// The packed body; the same for the same body.
    func pack(_ body: [UInt8]) throws(PluginError) -> [UInt8] {
        switch self {
        case .none: return body
        case .gzip:
            var packed: [UInt8] = []
            packed.reserveCapacity(body.count / 8)
            let isWhole = Deflater()?.deflate(body[...], isLast: true) { packed += $0 }
            guard isWhole == true else { throw .libcurl("no memory to compress the body") }
            return packed
        case .snappy:
            guard let snappy = Snappy.loaded else { throw Snappy.missing }
            guard let packed = snappy.pack(body) else { throw .libcurl("snappy has refused the body") }
            return packed
        }
    }
}

/// libsnappy, loaded at its first use: an agent that does not send snappy does not map it.
struct Snappy: Sendable {
    private typealias MaximumLength = @convention(c) (Int) -> Int
    private typealias Compress =
        @convention(c) (UnsafePointer<UInt8>, Int, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<Int>) -> Int32

    static let missing = PluginError.refused(
        .address, "compression 'snappy' needs libsnappy.so.1, which cannot be loaded",
        hint: "Install it: apt-get install libsnappy1v5.", option: "compression")

    /// The library; nil where it is not installed.
    static let loaded: Snappy? = Snappy()

    private let maximumLength: MaximumLength
    private let compress: Compress

    private init?() {
        guard let library = dlopen("libsnappy.so.1", RTLD_NOW | RTLD_LOCAL),
            let length = dlsym(library, "snappy_max_compressed_length"),
            let compress = dlsym(library, "snappy_compress")
        else { return nil }
        // The types of snappy-c.h.
        maximumLength = unsafeBitCast(length, to: MaximumLength.self)
        self.compress = unsafeBitCast(compress, to: Compress.self)
    }

    /// The body in snappy's block format; nil: the library has refused.
    func pack(_ body: [UInt8]) -> [UInt8]? {
        var isWhole = false
        let packed = [UInt8](unsafeUninitializedCapacity: maximumLength(body.count)) { output, count in
            body.withUnsafeBufferPointer { input in
                guard let from = input.baseAddress, let to = output.baseAddress else { return }
                var length = output.count
                isWhole = compress(from, input.count, to, &length) == 0
                count = isWhole ? length : 0
            }
        }
        return isWhole ? packed : nil
    }
}

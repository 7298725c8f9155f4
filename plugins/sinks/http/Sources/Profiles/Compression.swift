internal import SondeGzip
internal import SondePluginKit

/// How a body is packed, by the word of the option `compression`.
enum Compression: String, CaseIterable, Sendable {
    /// As the encoder has written it.
    case none
    /// RFC 1952.
    case gzip

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
        }
    }
}

internal import CWebPage
internal import HTTPTypes
internal import NIOCore
internal import SondeGzip

/// A file of the page, as it is and compressed.
struct Asset: Sendable {
    /// Where it is: `/app.js`.
    let path: String
    private let type: String
    private let mark: String
    private let plain: ByteBuffer
    private let compressed: ByteBuffer?

    /// All files, by their paths; the page itself is at `/`.
    static func all() -> [String: Asset] {
        var assets: [String: Asset] = [:]
        var index = 0
        while let name = sonde_web_file_at(index).name {
            let file = sonde_web_file_at(index)
            index += 1
            let name = String(cString: name)
            let asset = Asset(name, UnsafeBufferPointer(start: file.bytes, count: file.count))
            assets[asset.path] = asset
        }
        return assets
    }

    private init(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) {
        path = name == "index.html" ? "/" : "/\(name)"
        type = Self.type(of: name)
        plain = ByteBuffer(bytes: bytes)
        compressed = Self.compress(Array(bytes)).map { ByteBuffer(bytes: $0) }
        mark = Self.mark(of: bytes)
    }

    /// The answer to a request for it.
    func answer(to request: HTTPRequest) -> Answer {
        var answer = Answer(.ok)
        answer.fields[.eTag] = mark
        // It is asked for each time whether it has changed: another version may be installed.
        answer.fields[.cacheControl] = "no-cache"
        answer.fields[.vary] = "Accept-Encoding"
        if request.headerFields[.ifNoneMatch] == mark {
            answer.status = .notModified
            return answer
        }
        answer.fields[.contentType] = type
        if let compressed, request.headerFields[.acceptEncoding]?.contains("gzip") ?? false {
            answer.fields[.contentEncoding] = "gzip"
            answer.body = compressed
        } else {
            answer.body = plain
        }
        return answer
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }

    private static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        let isDone = Deflater()?.deflate(bytes[...], isLast: true) { result += $0 }
        return isDone == true ? result : nil
    }

    /// FNV-1a: it distinguishes versions of the page, and does nothing else.
    private static func mark(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))\""
    }
}

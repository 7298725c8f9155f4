/// Takes secrets out of what a receiver says, so that one that echoes its request puts none into a log.
///
/// A secret is found as it is, in Base64, and behind the escapes of JSON, URLs and HTML, also several times escaped.
struct Redaction: Sendable {
    private static let stars = Array("***".utf8)
    // What is escaped more often is not searched.
    private static let mostEscapes = 4
    // No escape is longer.
    private static let longestEscape = 12

    // The longest first: a secret may be the beginning of another one.
    private let secrets: [[UInt8]]

    /// Hides `secrets`; empty ones are none.
    init(_ secrets: [String]) {
        var forms: Set<[UInt8]> = []
        for secret in secrets.map({ Array($0.utf8) }) where !secret.isEmpty {
            let encoded = Base64.encode(secret).utf8.filter { $0 != 0x3d }
            forms.formUnion([secret, EscapedText.plain(secret), encoded])
            forms.insert(encoded.map { $0 == 0x2b ? 0x2d : $0 == 0x2f ? 0x5f : $0 })
            forms.insert(secret.map { $0 == 0x20 ? 0x2b : $0 })
        }
        self.secrets = forms.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// `text` with each secret, and each user part of a URL, replaced by three stars.
    ///
    /// Of text that was cut the end is hidden too when it may be the beginning of a secret.
    func hiding(_ text: ReceivedText) -> [UInt8] {
        var bytes = text.bytes
        if text.isCut { Self.removeOpenEscape(&bytes) }
        var escaped = EscapedText(bytes)
        var hidden = Self.userParts(bytes)
        for _ in 0...Self.mostEscapes {
            hidden += ranges(in: escaped.bytes, isCut: text.isCut).map(escaped.written)
            guard escaped.unescape() else { break }
        }
        return Self.replacing(hidden, in: bytes)
    }

    private func ranges(in text: [UInt8], isCut: Bool) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index < text.count {
            let rest = text[index...]
            let secret = secrets.first { secret in
                rest.starts(with: secret) || isCut && rest.count < secret.count && secret.starts(with: rest)
            }
            guard let secret else {
                index += 1
                continue
            }
            let end = min(index + secret.count, text.count)
            ranges.append(index..<end)
            index = end
        }
        return ranges
    }

    /// `user:password` in `https://user:password@host`.
    private static func userParts(_ text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start: Int?
        for (index, byte) in text.enumerated() {
            switch byte {
            case 0x2f where text[..<index].suffix(2).elementsEqual([0x3a, 0x2f]): start = index + 1
            case 0x40: if let begin = start, begin < index { ranges.append(begin..<index) }
            case 0x00...0x20, 0x22, 0x27, 0x2f, 0x3c, 0x3e: start = nil
            default: break
            }
        }
        return ranges
    }

    /// Takes away the end that may belong to an escape that was cut; of backslashes a row of any length may.
    private static func removeOpenEscape(_ text: inout [UInt8]) {
        let end = text.suffix(longestEscape)
        if let start = end.firstIndex(where: { $0 == 0x5c || $0 == 0x25 || $0 == 0x26 }) {
            text.removeLast(end.endIndex - start)
        }
        while text.last == 0x5c { text.removeLast() }
    }

    private static func replacing(_ ranges: [Range<Int>], in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var end = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.upperBound > end {
            // One that overlaps the one before it shares its stars.
            if range.lowerBound >= end { result += text[end..<range.lowerBound] + stars }
            end = range.upperBound
        }
        return result + text[end...]
    }
}

/// Base 64 of RFC 4648, section 4.
///
/// Only to know what a secret looks like on its way; libcurl writes the header field.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// `bytes` in base 64, padded.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = (0..<3).reduce(0) { word, offset in
                word << 8 | (offset < group.count ? Int(group[start + offset]) : 0)
            }
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : 0x3d)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

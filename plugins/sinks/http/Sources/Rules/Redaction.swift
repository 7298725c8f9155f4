internal import SondeFormats

/// Removes secrets from a receiver's text, so that one that echoes its request puts none into a log.
///
/// A secret is found as it is, in Base64, and with the escapes of JSON, URLs and HTML, also several times escaped.
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
            let encoded = Base64.encode(secret).filter { $0 != 0x3d }
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

/// Bytes with their escapes decoded, and where each of them was.
///
/// Decodes the escapes of JSON and its kind (`\/`, `\u002b`, `\x2b`), of URLs (`%2B`) and of HTML (`&amp;`, `&#43;`).
struct EscapedText {
    /// The bytes.
    private(set) var bytes: [UInt8]
    /// Where each byte begins in the text that was written; one more for its end.
    private var starts: [Int]

    /// The bytes as they are written.
    init(_ written: [UInt8]) {
        bytes = written
        starts = Array(0...written.count)
    }

    /// Where a range of ``bytes`` is in the text that was written.
    func written(_ range: Range<Int>) -> Range<Int> { starts[range.lowerBound]..<starts[range.upperBound] }

    /// Replaces the escapes once; false when there was none.
    mutating func unescape() -> Bool {
        guard bytes.contains(where: { $0 == 0x5c || $0 == 0x25 || $0 == 0x26 }) else { return false }
        var plain: [UInt8] = []
        var places: [Int] = []
        var index = 0
        while index < bytes.count {
            guard let escape = Self.escape(bytes[index...]) else {
                plain.append(bytes[index])
                places.append(starts[index])
                index += 1
                continue
            }
            plain += escape.bytes
            places += [Int](repeating: starts[index], count: escape.bytes.count)
            index += escape.length
        }
        let isShorter = plain.count < bytes.count
        (bytes, starts) = (plain, places + [starts[bytes.count]])
        return isShorter
    }

    /// `text` with all escapes decoded, those of escapes included.
    static func plain(_ text: [UInt8]) -> [UInt8] {
        var text = EscapedText(text)
        while text.unescape() {}
        return text.bytes
    }

    /// The entity that `text` begins with, and how long it is.
    static func entity(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard text.first == 0x26, let end = text.prefix(12).firstIndex(of: 0x3b) else { return nil }
        let name = String(decoding: text[text.startIndex..<end].dropFirst(), as: UTF8.self).lowercased()
        let named: [String: UInt8] = ["amp": 0x26, "lt": 0x3c, "gt": 0x3e, "quot": 0x22, "apos": 0x27, "nbsp": 0x20]
        let length = end + 1 - text.startIndex
        if let byte = named[name] { return ([byte], length) }
        let code =
            name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
        guard name.hasPrefix("#"), let scalar = code.flatMap(Unicode.Scalar.init) else { return nil }
        return (Array(Character(scalar).utf8), length)
    }

    private static func escape(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        switch text.first {
        case 0x25: hexadecimal(text.dropFirst(), digits: 2).map { ([UInt8($0)], 3) }
        case 0x26: entity(text)
        case 0x5c: backslash(text.dropFirst())
        default: nil
        }
    }

    private static func backslash(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        switch text.first {
        case 0x75: unicode(text.dropFirst())
        case 0x78: hexadecimal(text.dropFirst(), digits: 2).map { ([UInt8($0)], 4) }
        case 0x62, 0x66, 0x6e, 0x72, 0x74: ([0x20], 2)
        case let byte? where (0x21...0x7e).contains(byte): ([byte], 2)
        default: nil
        }
    }

    // \uXXXX without its first two characters, and the second half of a pair after it.
    private static func unicode(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], length: Int)? {
        guard let first = hexadecimal(text, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (Array(Character(scalar).utf8), 6) }
        let rest = text.dropFirst(4)
        guard rest.starts(with: [0x5c, 0x75]), let second = hexadecimal(rest.dropFirst(2), digits: 4),
            (0xd800...0xdbff).contains(first), (0xdc00...0xdfff).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { return nil }
        return (Array(Character(scalar).utf8), 12)
    }

    private static func hexadecimal(_ text: ArraySlice<UInt8>, digits: Int) -> UInt32? {
        let text = text.prefix(digits)
        guard text.count == digits, text.allSatisfy({ $0 != 0x2b && $0 != 0x2d }) else { return nil }
        return UInt32(String(decoding: text, as: UTF8.self), radix: 16)
    }
}

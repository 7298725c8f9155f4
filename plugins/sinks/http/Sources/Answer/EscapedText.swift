/// Bytes with what escapes stand for, and where each of them stood.
///
/// Knows the escapes of JSON and its kind (`\/`, `\u002b`, `\x2b`), of URLs (`%2B`) and of HTML (`&amp;`, `&#43;`).
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

    /// Where a stretch of ``bytes`` stands in the text that was written.
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

    /// What all escapes of `text` stand for, those of escapes included.
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

    // \uXXXX without its first two characters, and the second half of a pair behind it.
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

/// Base64 as RFC 4648 section 4 has it: bytes in text.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The text of bytes, padded.
    public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count / 3 + 1) * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            append(group, characters: 4, to: &text)
            (group, count) = (0, 0)
        }
        if count > 0 { append(group << (count == 1 ? 16 : 8), characters: count + 1, to: &text) }
        return text
    }

    /// The bytes of a text; nil when it is not what ``encode(_:)`` writes.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var count = 0
        var padded = 0
        for character in text {
            if character == padding {
                padded += 1
                group <<= 6
            } else {
                guard padded == 0, let value = value(of: character) else { return nil }
                group = group << 6 | value
            }
            count += 1
            guard count == 4 else { continue }
            guard padded <= 2 else { return nil }
            let three = [UInt8(group >> 16 & 0xff), UInt8(group >> 8 & 0xff), UInt8(group & 0xff)]
            guard three.suffix(padded).allSatisfy({ $0 == 0 }) else { return nil }
            bytes += three.prefix(3 - padded)
            (group, count) = (0, 0)
        }
        return bytes
    }

    private static func append(_ group: UInt32, characters: Int, to text: inout [UInt8]) {
        for place in 0..<4 {
            text.append(place < characters ? alphabet[Int(group >> UInt32(18 - 6 * place) & 0x3f)] : padding)
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// The escaping rules of the line protocol, which differ by where a text is.
///
/// Not all texts are possible. A line break within a text becomes the two characters `\n` (tab, form feed and
/// carriage return likewise), as Telegraf writes them. A backslash cannot be escaped, and one before an escaped
/// character or at the end would undo the escape or the separator: such ones are left out. Other control characters
/// become spaces.
enum InfluxEscape {
    /// Comma and space are special.
    case measurement
    /// Comma, space and the equals sign are special.
    case tag

    /// Appends a text.
    func append(_ text: String, to buffer: inout ByteBuffer) {
        let start = buffer.count
        var backslashes = 0
        for byte in text.utf8 {
            if byte == 0x5c {
                backslashes += 1
                continue
            }
            let plain = byte < 0x20 || byte == 0x7f ? 0x20 : byte
            let letter = Self.letter(for: byte)
            if letter != nil || needsEscape(plain, isFirst: buffer.count == start) {
                buffer.append(0x5c)
            } else {
                for _ in 0..<backslashes { buffer.append(0x5c) }
            }
            backslashes = 0
            buffer.append(letter ?? plain)
        }
    }

    // A line that begins with # is a comment.
    private func needsEscape(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch self {
        case .measurement: byte == 0x2c || byte == 0x20 || (isFirst && byte == 0x23)
        case .tag: byte == 0x2c || byte == 0x20 || byte == 0x3d
        }
    }

    private static func letter(for byte: UInt8) -> UInt8? {
        switch byte {
        case 0x09: 0x74
        case 0x0a: 0x6e
        case 0x0c: 0x66
        case 0x0d: 0x72
        default: nil
        }
    }
}

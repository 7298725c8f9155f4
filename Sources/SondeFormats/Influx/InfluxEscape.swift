/// The escaping rules of the line protocol, which differ by where a text is.
///
/// Not all texts are possible. One with a line break cannot be written. A backslash cannot be escaped, and one before an
/// escaped character or at the end would undo the escape or the separator: such ones are left out. Other control
/// characters become spaces.
enum InfluxEscape {
    /// Comma and space are special.
    case measurement
    /// Comma, space and the equals sign are special.
    case tag

    /// Appends a text; false: it has a line break, and a part of it may be written.
    func append(_ text: String, to buffer: inout ByteBuffer) -> Bool {
        let start = buffer.count
        var backslashes = 0
        for byte in text.utf8 {
            switch byte {
            case 0x5c:
                backslashes += 1
                continue
            case 0x0a, 0x0d: return false
            default: break
            }
            let plain = byte < 0x20 || byte == 0x7f ? 0x20 : byte
            if needsEscape(plain, isFirst: buffer.count == start) {
                buffer.append(0x5c)
            } else {
                for _ in 0..<backslashes { buffer.append(0x5c) }
            }
            backslashes = 0
            buffer.append(plain)
        }
        return true
    }

    // A line that begins with # is a comment.
    private func needsEscape(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch self {
        case .measurement: byte == 0x2c || byte == 0x20 || (isFirst && byte == 0x23)
        case .tag: byte == 0x2c || byte == 0x20 || byte == 0x3d
        }
    }
}

/// Names as they stand in kernel tables.
enum KernelText {
    /// What a longer name is refused at: the kernel's own have at most 31 bytes (`IFNAMSIZ` 16, snmp6 `%-32s`).
    static let longestName = 64

    /// The text of valid UTF-8; else every byte that is not printable ASCII as `\xNN`, so that different names stay
    /// different.
    static func name(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isControl) {
            return text
        }
        var text = ""
        for byte in bytes {
            if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text
    }

    /// The words of a line, at most `limit` of them, or nil when there are more or one is too long.
    static func words(_ line: UnsafeRawBufferPointer, limit: Int) -> [String]? {
        var scanner = ByteScanner(line)
        var words: [String] = []
        while let word = scanner.word() {
            guard words.count < limit, word.count <= longestName else { return nil }
            words.append(name(word))
        }
        return words
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

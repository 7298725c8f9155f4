/// Bytes of unknown origin as text that can be shown and compared.
public enum ByteText {
    /// The text of valid UTF-8 without control characters; else every byte that is not printable ASCII as `\xNN`, so
    /// that different bytes stay different.
    public static func spelled(_ bytes: UnsafeRawBufferPointer) -> String {
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

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}

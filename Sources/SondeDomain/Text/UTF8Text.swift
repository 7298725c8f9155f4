/// Text from bytes that may not be UTF-8.
public enum UTF8Text {
    /// The text; bytes that are no UTF-8 are written `\xNN`, and a backslash beside them is doubled.
    ///
    /// So two different values that are not UTF-8 stay different, which a replacement character would not keep.
    public static func escaping(_ bytes: UnsafeRawBufferPointer) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let scalar):
                offset += scalar.count
                let decoded = Unicode.UTF8.decode(scalar)
                text.unicodeScalars.append(decoded)
                if decoded == "\\" { text += "\\" }
            case .error(let length):
                for byte in bytes[offset..<min(offset + length, bytes.count)] { text += escape(byte) }
                offset += length
            case .emptyInput: return text
            }
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 0x10 ? "\\x0\(digits)" : "\\x\(digits)"
    }
}

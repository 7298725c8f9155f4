extension ByteBuffer {
    /// Appends a JSON string with its quotes.
    ///
    /// Besides what RFC 8259 §7 requires, DEL and U+0080–U+009F are escaped: terminals act on them.
    public mutating func append(jsonString text: String) {
        var text = text
        text.withUTF8 { append(jsonString: $0) }
    }

    /// Appends a JSON string with its quotes; `source` is UTF-8.
    mutating func append(jsonString source: UnsafeBufferPointer<UInt8>) {
        append(0x22)
        var clean = 0
        var index = 0
        while index < source.count {
            let step = Self.escapedLength(source, index)
            if step > 0 {
                append(UnsafeBufferPointer(rebasing: source[clean..<index]))
                append(escaped: step == 1 ? source[index] : source[index &+ 1])
                clean = index &+ step
            }
            index &+= max(1, step)
        }
        append(UnsafeBufferPointer(rebasing: source[clean...]))
        append(0x22)
    }

    /// Appends a double as JSON, or `null` when it is NaN or infinite.
    public mutating func append(jsonNumber value: Double) {
        if !append(shortest: value) { append(literal: "null") }
    }

    /// How many bytes at `index` are one character to escape; 0 for none.
    private static func escapedLength(_ source: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        let byte = source[index]
        if byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f { return 1 }
        guard byte == 0xc2, index &+ 1 < source.count, source[index &+ 1] < 0xa0 else { return 0 }
        return 2
    }

    private mutating func append(escaped byte: UInt8) {
        append(0x5c)
        switch byte {
        case 0x22, 0x5c: append(byte)
        case 0x08: append(0x62)
        case 0x09: append(0x74)
        case 0x0a: append(0x6e)
        case 0x0c: append(0x66)
        case 0x0d: append(0x72)
        default:
            append(literal: "u00")
            append(hexDigit: byte >> 4)
            append(hexDigit: byte & 0x0f)
        }
    }

    private mutating func append(hexDigit digit: UInt8) {
        append(digit < 10 ? digit &+ 0x30 : digit &+ 0x57)
    }
}

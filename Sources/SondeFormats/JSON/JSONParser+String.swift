extension JSONParser {
    /// A string, RFC 8259 §7; the quote is at hand.
    mutating func string() throws(JSONError) -> String {
        index &+= 1
        let start = index
        var unescaped: [UInt8]?
        while let byte {
            switch byte {
            case 0x22:
                let text =
                    unescaped.map { String(validating: $0, as: UTF8.self) }
                    ?? String(validating: bytes[start..<index], as: UTF8.self)
                guard let text else { throw JSONError(.malformedUnicode, at: start) }
                index &+= 1
                return text
            case 0x5c:
                var text = unescaped ?? Array(bytes[start..<index])
                unescaped = nil
                index &+= 1
                try escape(into: &text)
                unescaped = text
            case ..<0x20:
                throw failure(.malformedString)
            default:
                unescaped?.append(byte)
                index &+= 1
            }
        }
        throw failure(.unexpectedEnd)
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte else { throw failure(.unexpectedEnd) }
        switch byte {
        case 0x22, 0x5c, 0x2f: text.append(byte)
        case 0x62: text.append(0x08)
        case 0x66: text.append(0x0c)
        case 0x6e: text.append(0x0a)
        case 0x72: text.append(0x0d)
        case 0x74: text.append(0x09)
        case 0x75:
            index &+= 1
            text.append(contentsOf: String(Character(try scalar())).utf8)
            return
        default: throw failure(.malformedString)
        }
        index &+= 1
    }

    /// The character that `\uXXXX` spells, or `\uXXXX\uXXXX` for those beyond the first plane.
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let start = index
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xdc00, take(0x5c), take(0x75) else { throw JSONError(.malformedUnicode, at: start) }
        let second = try codeUnit()
        guard 0xdc00...0xdfff ~= second else { throw JSONError(.malformedUnicode, at: start) }
        let joined = 0x1_0000 &+ ((UInt32(first) &- 0xd800) << 10) &+ (UInt32(second) &- 0xdc00)
        guard let scalar = Unicode.Scalar(joined) else { throw JSONError(.malformedUnicode, at: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw failure(.malformedString)
            }
            unit = unit << 4 | UInt16(truncatingIfNeeded: digit)
            index &+= 1
        }
        return unit
    }
}

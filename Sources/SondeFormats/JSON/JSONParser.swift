/// Recursive descent over bytes in memory.
struct JSONParser {
    private let bytes: [UInt8]
    private let limits: JSONReader.Limits
    private var index = 0
    private var values = 0

    init(bytes: [UInt8], limits: JSONReader.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The current byte, or nil at the end.
    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The one value of the text.
    mutating func document() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw failure(.trailingCharacters) }
        return value
    }

    /// The current fault: the end of the text has its own name.
    private func failure(_ reason: JSONError.Reason) -> JSONError {
        JSONError(index < bytes.count ? reason : .unexpectedEnd, at: index)
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        values &+= 1
        guard values <= limits.values else { throw JSONError(.tooManyValues, at: index) }
        guard let byte else { throw failure(.unexpectedEnd) }
        switch byte {
        case 0x7b: return try object(depth: depth)
        case 0x5b: return try array(depth: depth)
        case 0x22: return .string(try string())
        case 0x74: return try word("true", .bool(true))
        case 0x66: return try word("false", .bool(false))
        case 0x6e: return try word("null", .null)
        case 0x2d, 0x30...0x39: return try number()
        default: throw failure(.unexpectedCharacter)
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        try open(depth)
        var elements: [JSONValue] = []
        if take(0x5d) { return .array(elements) }
        while true {
            elements.append(try value(depth: depth &+ 1))
            skipSpace()
            if take(0x5d) { return .array(elements) }
            try separate()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        try open(depth)
        var members: [JSONValue.Member] = []
        if take(0x7d) { return .object(members) }
        while true {
            guard byte == 0x22 else { throw failure(.unexpectedCharacter) }
            let key = try string()
            skipSpace()
            guard take(0x3a) else { throw failure(.unexpectedCharacter) }
            skipSpace()
            members.append(JSONValue.Member(key, try value(depth: depth &+ 1)))
            skipSpace()
            if take(0x7d) { return .object(members) }
            try separate()
        }
    }

    /// Skips an opening bracket.
    private mutating func open(_ depth: Int) throws(JSONError) {
        guard depth < limits.depth else { throw failure(.tooDeep) }
        index &+= 1
        skipSpace()
    }

    /// Skips a comma and the space after it.
    private mutating func separate() throws(JSONError) {
        guard take(0x2c) else { throw failure(.unexpectedCharacter) }
        skipSpace()
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard byte == word.utf8Start[offset] else { throw failure(.unexpectedCharacter) }
            index &+= 1
        }
        return value
    }

    private mutating func skipSpace() {
        while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index &+= 1 }
    }

    /// Skips a byte if it is the current one.
    private mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        index &+= 1
        return true
    }
}

extension JSONParser {
    /// A string, RFC 8259 §7; the quote is at hand.
    private mutating func string() throws(JSONError) -> String {
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

extension JSONParser {
    // No finite double needs more than 767 digits to be distinguished from its neighbours.
    private static let longestNumber = 1_024

    /// A number, RFC 8259 §6.
    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let isNegative = take(0x2d)
        if !take(0x30) { try digits() }
        var isInteger = true
        if take(0x2e) {
            isInteger = false
            try digits()
        }
        if take(0x65) || take(0x45) {
            isInteger = false
            if !take(0x2b) { _ = take(0x2d) }
            try digits()
        }
        if let byte, 0x30...0x39 ~= byte { throw failure(.malformedNumber) }
        guard index &- start <= Self.longestNumber else { throw JSONError(.numberOutOfRange, at: start) }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        // "-0" stays a double: no integer has that sign.
        if isInteger, let value = Int64(text), value != 0 || !isNegative { return .integer(value) }
        if isInteger, !isNegative, let value = UInt64(text) { return .unsigned(value) }
        guard let value = Double(text), value.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
        return .double(value)
    }

    private mutating func digits() throws(JSONError) {
        guard let first = byte, 0x30...0x39 ~= first else { throw failure(.malformedNumber) }
        while let byte, 0x30...0x39 ~= byte { index &+= 1 }
    }
}

/// Recursive descent over bytes in memory.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONReader.Limits
    var index = 0
    private var values = 0

    init(bytes: [UInt8], limits: JSONReader.Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The byte at hand, or nil at the end.
    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// The one value of the text.
    mutating func document() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw failure(.trailingCharacters) }
        return value
    }

    /// The fault at hand: the end of the text has its own name.
    func failure(_ reason: JSONError.Reason) -> JSONError {
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

    /// Goes past an opening bracket.
    private mutating func open(_ depth: Int) throws(JSONError) {
        guard depth < limits.depth else { throw failure(.tooDeep) }
        index &+= 1
        skipSpace()
    }

    /// Goes past a comma and the space behind it.
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

    /// Goes past a byte if it is the one at hand.
    mutating func take(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        index &+= 1
        return true
    }
}

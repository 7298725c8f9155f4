extension JSONParser {
    // No finite double needs more than 767 digits to be told from its neighbours.
    private static let longestNumber = 1_024

    /// A number, RFC 8259 §6.
    mutating func number() throws(JSONError) -> JSONValue {
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

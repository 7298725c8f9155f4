/// Reads JSON strictly by RFC 8259, within limits; hostile bytes make errors, never traps.
public enum JSONReader {
    /// How much is read before it is refused.
    public struct Limits: Hashable, Sendable {
        /// The longest text, in bytes.
        public let bytes: Int
        /// How many arrays and objects may be nested.
        public let depth: Int
        /// How many values there may be in all.
        public let values: Int

        /// Limits; depths above 512 are taken as 512, which the smallest thread's stack can hold.
        public init(bytes: Int = 16 << 20, depth: Int = 64, values: Int = 1_000_000) {
            self.bytes = bytes
            self.depth = min(depth, 512)
            self.values = values
        }
    }

    /// The value of the bytes.
    public static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        var parser = JSONParser(bytes: bytes, limits: limits)
        return try parser.document()
    }

    /// The value of the bytes; they are copied.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer,
        limits: Limits = Limits()
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        return try parse([UInt8](bytes), limits: limits)
    }

    /// The value of the text.
    public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        try parse([UInt8](text.utf8), limits: limits)
    }
}

/// Why bytes were refused as JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Hashable, Sendable {
        /// More bytes than the limit allows.
        case tooLarge = "too large"
        /// Arrays and objects nested beyond the limit.
        case tooDeep = "nested too deep"
        /// More values than the limit allows.
        case tooManyValues = "too many values"
        /// The text ends within a value.
        case unexpectedEnd = "unexpected end"
        /// A character that is not allowed there.
        case unexpectedCharacter = "unexpected character"
        /// Something follows the value.
        case trailingCharacters = "characters after the value"
        /// A number that RFC 8259 does not allow.
        case malformedNumber = "malformed number"
        /// A number that no finite double can hold, or with more than 1,024 digits.
        case numberOutOfRange = "number out of range"
        /// A control character or a bad escape in a string.
        case malformedString = "malformed string"
        /// A string that is not UTF-8, or half of a surrogate pair.
        case malformedUnicode = "malformed Unicode"
    }

    /// What was wrong.
    public let reason: Reason
    /// How many bytes precede the fault.
    public let offset: Int

    /// An error.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// `unexpected character at byte 12`.
    public var description: String { "\(reason.rawValue) at byte \(offset)" }
}

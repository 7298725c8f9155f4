/// Why bytes were refused as JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was wrong.
    public enum Reason: String, Hashable, Sendable {
        /// More bytes than the limit allows.
        case tooLarge = "too large"
        /// Arrays and objects in each other beyond the limit.
        case tooDeep = "nested too deep"
        /// More values than the limit allows.
        case tooManyValues = "too many values"
        /// The text ends within a value.
        case unexpectedEnd = "unexpected end"
        /// A character that cannot stand there.
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

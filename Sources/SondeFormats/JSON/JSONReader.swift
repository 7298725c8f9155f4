/// Reads JSON strictly as RFC 8259 has it, within limits; hostile bytes make errors, never traps.
public enum JSONReader {
    /// How much is read before it is refused.
    public struct Limits: Hashable, Sendable {
        /// The longest text, in bytes.
        public let bytes: Int
        /// How many arrays and objects may lie in each other.
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

    /// The value that the bytes spell.
    public static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        var parser = JSONParser(bytes: bytes, limits: limits)
        return try parser.document()
    }

    /// The value that the bytes spell; they are copied.
    public static func parse(
        _ bytes: UnsafeRawBufferPointer,
        limits: Limits = Limits()
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        return try parse([UInt8](bytes), limits: limits)
    }

    /// The value that the text spells.
    public static func parse(_ text: String, limits: Limits = Limits()) throws(JSONError) -> JSONValue {
        try parse([UInt8](text.utf8), limits: limits)
    }
}

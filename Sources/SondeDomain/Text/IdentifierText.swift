/// The form of the `id` of a source or sink: `[a-z0-9][a-z0-9_.-]{0,63}`.
public enum IdentifierText {
    /// The same form as a regular expression.
    public static let pattern = "^[a-z0-9][a-z0-9_.-]{0,63}$"

    /// Whether `text` may be an id.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 64, isLetterOrDigit(first) else { return false }
        return bytes.dropFirst().allSatisfy { isLetterOrDigit($0) || $0 == 0x5F || $0 == 0x2E || $0 == 0x2D }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
    }
}

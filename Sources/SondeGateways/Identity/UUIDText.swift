/// Random identifiers, RFC 9562 §5.4 (version 4).
public enum UUIDText {
    /// A new identifier, lower case with hyphens.
    public static func random(using generator: inout some RandomNumberGenerator) -> String {
        var high = UInt64.random(in: .min ... .max, using: &generator)
        var low = UInt64.random(in: .min ... .max, using: &generator)
        high = high & 0xffff_ffff_ffff_0fff | 0x4000
        low = low & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = Array(hexadecimal(high) + hexadecimal(low))
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return groups.map { String($0) }.joined(separator: "-")
    }

    /// Whether a text has the form of an identifier.
    public static func isValid(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return false }
        return text.utf8.allSatisfy { $0 == 0x2d || (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

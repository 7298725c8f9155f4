/// Shares as people write them: `2%`, `0.5%`, `150%`.
public enum PercentText {
    /// Reads a share, 0.02 for `2%`; nil when it is none.
    public static func parse(_ text: String) -> Double? {
        guard text.utf8.last == UInt8(ascii: "%"), let number = number(text.utf8.dropLast()) else { return nil }
        return number / 100
    }

    /// The share as it would be written, to a hundredth of a percent.
    public static func text(of share: Double) -> String {
        let hundredths = Int64(exactly: (share * 10_000).rounded()) ?? .max
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard rest != 0 else { return "\(whole)%" }
        let digits = rest.magnitude < 10 ? "0\(rest.magnitude)" : "\(rest.magnitude)"
        return "\(whole).\(digits.utf8.last == UInt8(ascii: "0") ? String(digits.dropLast()) : digits)%"
    }

    /// Digits with at most one point among them.
    private static func number(_ bytes: Substring.UTF8View) -> Double? {
        let isForm = bytes.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard isForm, bytes.first != UInt8(ascii: "."), bytes.last != UInt8(ascii: ".") else { return nil }
        return Double(String(Substring(bytes)))
    }
}

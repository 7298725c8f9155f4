/// Numbers as text formats write them.
enum DecimalText {
    /// The number of a text of decimal digits, sign, point and exponent; nil for any other, words and hexadecimal included.
    static func double(_ text: some StringProtocol) -> Double? {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x2b, 0x2d, 0x2e, 0x45, 0x65: true
            default: false
            }
        }
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

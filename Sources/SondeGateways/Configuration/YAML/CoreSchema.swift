/// The types that the core schema gives plain scalars (YAML 1.2.2 §10.3.2).
///
/// Only what its tables name: `yes`, `on` and `1:30` are strings, and `010` is ten.
enum CoreSchema {
    static func bool(_ text: String) -> Bool? {
        switch text {
        case "true", "True", "TRUE": true
        case "false", "False", "FALSE": false
        default: nil
        }
    }

    /// A whole number; nil when it is not one or 64 bits cannot hold it.
    static func integer(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        if bytes.starts(with: [0x30, 0x6F]) { return Int64(digits: text.dropFirst(2), radix: 8) }
        if bytes.starts(with: [0x30, 0x78]) { return Int64(digits: text.dropFirst(2), radix: 16) }
        guard isInteger(bytes[...]) else { return nil }
        return Int64(text)
    }

    /// Whether it is a decimal number, of any size.
    static func isInteger(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = unsigned(bytes)
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }

    /// A finite number; nil when it is not one.
    static func double(_ text: String) -> Double? {
        let bytes = Array(text.utf8)
        var rest = unsigned(bytes[...])
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        var hasDigits = !whole.isEmpty
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            rest = rest.dropFirst(1 + fraction.count)
            hasDigits = hasDigits || !fraction.isEmpty
        }
        guard hasDigits else { return nil }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            guard isInteger(rest.dropFirst()) else { return nil }
            rest = []
        }
        guard rest.isEmpty, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    private static func unsigned(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
        return isSigned ? bytes.dropFirst() : bytes
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}

extension Int64 {
    /// Digits without a sign.
    fileprivate init?(digits: Substring, radix: Int) {
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
        self.init(digits, radix: radix)
    }
}

/// Reads the numbers and units that durations and sizes are made of.
struct NumberScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position >= bytes.count }

    var startsWithDigit: Bool {
        position < bytes.count && Self.isDigit(bytes[position])
    }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// The decimal number here; nil when 64 bits cannot hold it, and then it is skipped all the same.
    mutating func number() -> Int64? {
        var value: Int64 = 0
        var overflow = false
        while position < bytes.count, Self.isDigit(bytes[position]) {
            let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int64(bytes[position] &- UInt8(ascii: "0"))
            let (sum, sumOverflow) = product.addingReportingOverflow(digit)
            overflow = overflow || productOverflow || sumOverflow
            value = sum
            position += 1
        }
        return overflow ? nil : value
    }

    mutating func letters() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, Self.isLetter(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }
}

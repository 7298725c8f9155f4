/// Numbers of bytes as people write them: `64MiB`, `10kB`, `512`.
///
/// A whole number and at most one unit: B, the binary KiB, MiB, GiB, TiB or the decimal kB, MB, GB, TB, in any case.
public enum SizeText {
    /// Why a text is not a size.
    public enum Failure: Error, Hashable, Sendable {
        /// Not a whole number with at most one known unit.
        case malformed
        /// Less than nothing.
        case negative
        /// More than 64 bits hold.
        case overflow
    }

    private static let units: [(name: StaticString, bytes: Int64)] = [
        ("TiB", 1 << 40), ("TB", 1_000_000_000_000),
        ("GiB", 1 << 30), ("GB", 1_000_000_000),
        ("MiB", 1 << 20), ("MB", 1_000_000),
        ("KiB", 1 << 10), ("kB", 1_000),
    ]

    /// Reads a size in bytes.
    public static func parse(_ text: String) throws(Failure) -> Int64 {
        var scanner = NumberScanner(text)
        if scanner.skip(UInt8(ascii: "-")) {
            throw scanner.startsWithDigit ? .negative : .malformed
        }
        guard scanner.startsWithDigit else { throw .malformed }
        let count = scanner.number()
        let unit = bytes(of: scanner.letters())
        guard let unit, scanner.isAtEnd else { throw .malformed }
        guard let count else { throw .overflow }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        if overflow { throw .overflow }
        return product
    }

    /// Writes a size in the largest unit that holds it exactly, so that ``parse(_:)`` reads the same number.
    public static func text(of bytes: Int64) -> String {
        let unit = units.first { bytes != 0 && bytes % $0.bytes == 0 }
        guard let unit else { return "\(bytes)" }
        return "\(bytes / unit.bytes)\(unit.name)"
    }

    private static func bytes(of letters: ArraySlice<UInt8>) -> Int64? {
        let folded = letters.map { $0 | 0x20 }
        if folded.isEmpty || folded == [UInt8(ascii: "b")] { return 1 }
        let unit = units.first { unit in
            unit.name.withUTF8Buffer { $0.lazy.map { $0 | 0x20 }.elementsEqual(folded) }
        }
        return unit?.bytes
    }
}

/// Spans of time as people write them: `10s`, `1m30s`, `100ms`.
///
/// Whole numbers with the units d, h, m, s, ms, us and ns, larger units first, each at most once.
public enum DurationText {
    /// Why a text is not a duration.
    public enum Failure: Error, Hashable, Sendable {
        /// Not of the form number, unit, number, unit.
        case malformed
        /// A number without a unit.
        case missingUnit
        /// Less than nothing.
        case negative
        /// More than 292 years.
        case overflow
    }

    private struct Unit {
        let name: StaticString
        let nanoseconds: Int64

        func matches(_ letters: ArraySlice<UInt8>) -> Bool {
            name.withUTF8Buffer { $0.elementsEqual(letters) }
        }
    }

    private static let units = [
        Unit(name: "d", nanoseconds: 86_400_000_000_000),
        Unit(name: "h", nanoseconds: 3_600_000_000_000),
        Unit(name: "m", nanoseconds: 60_000_000_000),
        Unit(name: "s", nanoseconds: 1_000_000_000),
        Unit(name: "ms", nanoseconds: 1_000_000),
        Unit(name: "us", nanoseconds: 1_000),
        Unit(name: "ns", nanoseconds: 1),
    ]

    /// Reads a duration.
    public static func parse(_ text: String) throws(Failure) -> Nanoseconds {
        var scanner = NumberScanner(text)
        if scanner.skip(UInt8(ascii: "-")) {
            throw scanner.startsWithDigit ? .negative : .malformed
        }
        var total: Int64 = 0
        var allowed = units[...]
        repeat {
            guard scanner.startsWithDigit else { throw .malformed }
            let count = scanner.number()
            let letters = scanner.letters()
            if letters.isEmpty { throw scanner.isAtEnd && allowed.count == units.count ? .missingUnit : .malformed }
            guard let index = allowed.firstIndex(where: { $0.matches(letters) }) else { throw .malformed }
            guard let count, let sum = add(count, of: allowed[index], to: total) else { throw .overflow }
            total = sum
            allowed = allowed[(index + 1)...]
        } while !scanner.isAtEnd
        return Nanoseconds(total)
    }

    /// Writes a duration so that ``parse(_:)`` reads the same span; a negative one with a leading `-`.
    public static func text(of span: Nanoseconds) -> String {
        guard span.value != 0 else { return "0s" }
        var rest = span.value.magnitude
        var text = span.value < 0 ? "-" : ""
        for unit in units {
            let (count, remainder) = rest.quotientAndRemainder(dividingBy: unit.nanoseconds.magnitude)
            if count > 0 { text += "\(count)\(unit.name)" }
            rest = remainder
        }
        return text
    }

    private static func add(_ count: Int64, of unit: Unit, to total: Int64) -> Int64? {
        let (product, productOverflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        let (sum, sumOverflow) = total.addingReportingOverflow(product)
        return productOverflow || sumOverflow ? nil : sum
    }
}

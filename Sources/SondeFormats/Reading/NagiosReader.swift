internal import SondeDomain

/// Reads what a Nagios check prints: text, and after a bar `'label'=value[UOM];warn;crit;min;max`.
///
/// The exit status is the gauge `nagios.status`, 0 to 3. Performance data have the attribute `nagios.label` and a name for each
/// kind of unit, since a metric has one unit; thresholds are not kept.
public struct NagiosReader {
    private static let labelLimit = 1_000

    private var data: [LinePoint] = []
    private var lines = 0
    /// Whether every further line is performance data.
    private var isInData = false

    /// A reader of one run.
    public init() {}

    /// Takes the next line; throws the first thing in it that is no performance data.
    public mutating func take(_ line: ArraySlice<UInt8>) throws(LineFlaw) {
        lines += 1
        guard !isInData else { return try takeData(line) }
        guard let bar = line.firstIndex(of: 0x7c) else { return }
        // The text goes on after the first line's data, and ends with the second bar.
        isInData = lines > 1
        try takeData(line[(bar + 1)...])
    }

    /// The points of a run that ended with this status.
    public mutating func finish(status: Int64) throws(LineFlaw) -> [LinePoint] {
        let series = SeriesSpecification(name: "nagios.status", kind: .gauge, unit: "")
        defer { self = NagiosReader() }
        return [try LinePoint(series, value: .signed(status))] + data
    }

    private mutating func takeData(_ text: ArraySlice<UInt8>) throws(LineFlaw) {
        var rest = text
        while let first = rest.first {
            guard first != 0x20, first != 0x09 else {
                rest = rest.dropFirst()
                continue
            }
            guard data.count < Self.labelLimit else { throw LineFlaw("has more than \(Self.labelLimit) values") }
            let label = try Self.label(&rest)
            let end = rest.firstIndex { $0 == 0x20 || $0 == 0x09 } ?? rest.endIndex
            if let point = try Self.point(label, rest[..<end]) { data.append(point) }
            rest = rest[end...]
        }
    }

    /// The label before the equals sign, which is taken too.
    private static func label(_ rest: inout ArraySlice<UInt8>) throws(LineFlaw) -> String {
        var label: [UInt8] = []
        let isQuoted = rest.first == 0x27
        if isQuoted { rest = rest.dropFirst() }
        while let byte = rest.popFirst() {
            if isQuoted, byte == 0x27 {
                // Two of them are one that belongs to the label.
                if rest.first != 0x27 { break }
                rest = rest.dropFirst()
            } else if !isQuoted, byte == 0x3d {
                return try text(label)
            }
            label.append(byte)
        }
        guard isQuoted, rest.popFirst() == 0x3d else { throw LineFlaw("has performance data without a value") }
        return try text(label)
    }

    private static func text(_ bytes: [UInt8]) throws(LineFlaw) -> String {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
            throw LineFlaw("has a label that is none")
        }
        return text
    }

    /// Nil: the value is not known.
    private static func point(_ label: String, _ field: ArraySlice<UInt8>) throws(LineFlaw) -> LinePoint? {
        let text = String(decoding: field.prefix { $0 != 0x3b }, as: UTF8.self)
        guard text != "U" else { return nil }
        let digits = number(text)
        guard let number = DecimalText.double(digits) else { throw LineFlaw("has performance data without a number") }
        let unit = text.dropFirst(digits.count)
        guard unit.allSatisfy({ $0.isASCII && $0.isLetter || $0 == "%" }) else {
            throw LineFlaw("has performance data with a unit that is none")
        }
        let measure = measure(unit)
        let series = SeriesSpecification(
            name: "nagios.perfdata.\(measure.name)", kind: measure.name == "count" ? .counter : .gauge,
            unit: measure.unit, attributes: [Attribute("nagios.label", label)])
        return try LinePoint(series, value: .double(number * measure.factor))
    }

    /// The number that a text begins with, its exponent included.
    private static func number(_ text: String) -> Substring {
        let mantissa = text.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
        let rest = text.dropFirst(mantissa.count)
        guard rest.first == "e" || rest.first == "E" else { return mantissa }
        let exponent = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || "+-".contains($0)) }
        return exponent.isEmpty ? mantissa : text.prefix(mantissa.count + 1 + exponent.count)
    }

    private static func measure(_ unit: Substring) -> (name: String, unit: String, factor: Double) {
        switch unit {
        case "s": ("time", "s", 1)
        case "ms": ("time", "s", 1e-3)
        case "us": ("time", "s", 1e-6)
        case "ns": ("time", "s", 1e-9)
        case "%": ("ratio", "1", 1e-2)
        case "B": ("size", "By", 1)
        case "KB": ("size", "By", 0x1p10)
        case "MB": ("size", "By", 0x1p20)
        case "GB": ("size", "By", 0x1p30)
        case "TB": ("size", "By", 0x1p40)
        case "c": ("count", "", 1)
        default: ("value", "", 1)
        }
    }
}

internal import SondeDomain

/// Reads InfluxDB line protocol: `measurement,tags fields nanoseconds`; hostile bytes make flaws, never traps.
///
/// Each field is a gauge `measurement.field` with the tags as attributes; the field `value` is the measurement itself, as
/// ``InfluxLineEncoder`` writes it. `true` is 1 and `false` 0. A string is no measurement of anything: it is skipped.
public struct InfluxLineReader {
    /// The most fields of a line.
    public static let fieldLimit = 256

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    private init(_ line: ArraySlice<UInt8>) {
        (bytes, index) = (line, line.startIndex)
    }

    /// The points of a line; none for a comment.
    public static func points(_ line: ArraySlice<UInt8>) throws(LineFlaw) -> [LinePoint] {
        guard line.first != UInt8(ascii: "#") else { return [] }
        var reader = InfluxLineReader(line)
        return try reader.points()
    }

    private mutating func points() throws(LineFlaw) -> [LinePoint] {
        let measurement = try text(until: [0x2c, 0x20])
        var tags: [Attribute] = []
        while take(0x2c) {
            guard tags.count <= LinePoint.attributeLimit else { throw LineFlaw("has too many tags") }
            let name = try text(until: [0x3d])
            guard take(0x3d) else { throw LineFlaw("has a tag without a value") }
            tags.append(Attribute(name, try text(until: [0x2c, 0x20])))
        }
        guard skipSpaces() else { throw LineFlaw("has no fields") }
        var values: [(name: String, value: SampleValue)] = []
        var count = 0
        repeat {
            count += 1
            guard count <= Self.fieldLimit else { throw LineFlaw("has more than \(Self.fieldLimit) fields") }
            let name = try text(until: [0x3d, 0x2c, 0x20])
            guard take(0x3d) else { throw LineFlaw("has a field without a value") }
            if let value = try fieldValue() { values.append((name, value)) }
        } while take(0x2c)
        let time = try timestamp()
        var points: [LinePoint] = []
        for (name, value) in values {
            let series = SeriesSpecification(
                name: name == "value" ? measurement : "\(measurement).\(name)", kind: .gauge, unit: "",
                attributes: tags)
            points.append(try LinePoint(series, time: time, value: value))
        }
        return points
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    /// False when there was none.
    private mutating func skipSpaces() -> Bool {
        let start = index
        while take(0x20) {}
        return index > start
    }

    /// A text up to one of these, of which each may be escaped by a backslash; a backslash before anything else is itself.
    private mutating func text(until ends: [UInt8]) throws(LineFlaw) -> String {
        var text: [UInt8] = []
        while index < bytes.endIndex, !ends.contains(bytes[index]) {
            let isEscape =
                bytes[index] == 0x5c && index + 1 < bytes.endIndex && [0x2c, 0x20, 0x3d].contains(bytes[index + 1])
            if isEscape { index += 1 }
            text.append(bytes[index])
            index += 1
        }
        guard !text.isEmpty else { throw LineFlaw("has an empty name or value") }
        guard let valid = String(validating: text, as: UTF8.self) else { throw LineFlaw("is no UTF-8") }
        return valid
    }

    /// Nil: a string.
    private mutating func fieldValue() throws(LineFlaw) -> SampleValue? {
        if take(0x22) {
            try skipString()
            return nil
        }
        let start = index
        while index < bytes.endIndex, bytes[index] != 0x2c, bytes[index] != 0x20 { index += 1 }
        return try Self.number(bytes[start..<index])
    }

    private mutating func skipString() throws(LineFlaw) {
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == 0x22 { return }
            if byte == 0x5c, index < bytes.endIndex { index += 1 }
        }
        throw LineFlaw("has a string without an end")
    }

    private static func number(_ bytes: ArraySlice<UInt8>) throws(LineFlaw) -> SampleValue {
        guard bytes.count <= 64, let text = String(validating: bytes, as: UTF8.self) else {
            throw LineFlaw("has a field that is no number")
        }
        switch text {
        case "t", "T", "true", "True", "TRUE": return .signed(1)
        case "f", "F", "false", "False", "FALSE": return .signed(0)
        default: break
        }
        let value: SampleValue? =
            switch bytes.last {
            case 0x69: Int64(text.dropLast()).map { .signed($0) }
            case 0x75: UInt64(text.dropLast()).map { .unsigned($0) }
            default: DecimalText.double(text).map { .double($0) }
            }
        guard let value else { throw LineFlaw("has a field that is no number") }
        return value
    }

    private mutating func timestamp() throws(LineFlaw) -> Timestamp? {
        let isThere = skipSpaces()
        guard index < bytes.endIndex else { return nil }
        guard isThere, let text = String(validating: bytes[index...], as: UTF8.self),
            let value = Int64(text.prefix { $0 != " " }), text.drop(while: { $0 != " " }).allSatisfy({ $0 == " " })
        else { throw LineFlaw("has a time that is no number of nanoseconds") }
        return Timestamp(nanoseconds: value)
    }
}

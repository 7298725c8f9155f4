internal import SondeDomain

/// Reads the lines of `docs/spec/json-line.schema.json`; hostile bytes make flaws, never traps.
///
/// What a writer may leave out: `time`, and `kind`, which then is `gauge`. `host` and `labels` are the agent's to set: they are
/// skipped. Any other member is a flaw, so that a misspelled one does not go unnoticed.
public enum JSONLineReader {
    private static let limits = JSONReader.Limits(bytes: 1 << 20, depth: 4, values: 8_192)

    /// Any one object on a line.
    public static func object(_ line: ArraySlice<UInt8>) throws(LineFlaw) -> JSONValue {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.parse(Array(line), limits: limits)
        } catch {
            throw LineFlaw("is no JSON: \(error)")
        }
        guard value.asObject != nil else { throw LineFlaw("is no JSON object") }
        return value
    }

    /// The point of an object.
    public static func point(_ object: JSONValue) throws(LineFlaw) -> LinePoint {
        var line = JSONLine()
        for member in object.asObject ?? [] { try line.take(member) }
        return try line.point()
    }
}

/// The members of one line as they come.
private struct JSONLine {
    private var name: String?
    private var kind = MetricKind.gauge
    private var unit = ""
    private var attributes: [Attribute] = []
    private var time: Timestamp?
    private var start: Timestamp?
    private var number: SampleValue?
    private var bounds: [Double]?
    private var counts: [UInt64]?
    private var count: UInt64?
    private var sum: Double?

    mutating func take(_ member: JSONValue.Member) throws(LineFlaw) {
        let value = member.value
        switch member.key {
        case "name": name = try Self.text(value, "name")
        case "kind":
            let word = try Self.text(value, "kind")
            guard let known = MetricKind(name: word) else { throw LineFlaw("kind is none of the five") }
            kind = known
        case "unit": unit = try Self.text(value, "unit")
        case "time": time = try Self.instant(value, "time")
        case "start": start = try Self.instant(value, "start")
        case "value": number = try Self.number(value)
        case "attributes": attributes = try Self.attributes(value)
        case "bounds": bounds = try Self.list(value, "bounds") { $0.asDouble }
        case "counts": counts = try Self.list(value, "counts") { $0.asUInt64 }
        case "count":
            guard let known = value.asUInt64 else { throw LineFlaw("count is no count") }
            count = known
        case "sum":
            guard let known = value.asDouble else { throw LineFlaw("sum is no number") }
            sum = known
        case "host", "labels": break
        default: throw LineFlaw("has an unknown member")
        }
    }

    func point() throws(LineFlaw) -> LinePoint {
        guard let name else { throw LineFlaw("has no name") }
        let series = SeriesSpecification(
            name: name, kind: kind, unit: unit, attributes: attributes,
            start: kind == .counter || kind == .histogram ? start : nil)
        return try LinePoint(series, time: time, value: try value())
    }

    private func value() throws(LineFlaw) -> SampleValue {
        guard let counts else {
            guard bounds == nil, count == nil, sum == nil else { throw LineFlaw("has no counts") }
            guard let number else { throw LineFlaw("has no value") }
            return number
        }
        guard number == nil else { throw LineFlaw("has a value and counts") }
        guard let histogram = HistogramValue(bounds: bounds ?? [], counts: counts, sum: sum),
            count.map({ $0 == histogram.count }) ?? true
        else { throw LineFlaw("bounds, counts and count do not fit together") }
        return .histogram(histogram)
    }

    private static func number(_ value: JSONValue) throws(LineFlaw) -> SampleValue {
        switch value {
        case .integer(let number): .signed(number)
        case .unsigned(let number): .unsigned(number)
        case .double(let number): .double(number)
        default: throw LineFlaw("value is no number")
        }
    }

    private static func text(_ value: JSONValue, _ name: String) throws(LineFlaw) -> String {
        guard let text = value.asString else { throw LineFlaw("\(name) is no string") }
        return text
    }

    private static func instant(_ value: JSONValue, _ name: String) throws(LineFlaw) -> Timestamp {
        guard let instant = InstantText.parse(try text(value, name)) else {
            throw LineFlaw("\(name) is no instant like 2026-01-01T00:00:00.000Z")
        }
        return instant
    }

    private static func attributes(_ value: JSONValue) throws(LineFlaw) -> [Attribute] {
        guard let members = value.asObject else { throw LineFlaw("attributes are no object") }
        var attributes: [Attribute] = []
        for member in members {
            guard let text = member.value.asString else { throw LineFlaw("the value of an attribute is no string") }
            attributes.append(Attribute(member.key, text))
        }
        return attributes
    }

    private static func list<Element>(
        _ value: JSONValue, _ name: String, _ element: (JSONValue) -> Element?
    ) throws(LineFlaw) -> [Element] {
        guard let values = value.asArray else { throw LineFlaw("\(name) are no array") }
        let elements = values.compactMap(element)
        guard elements.count == values.count else { throw LineFlaw("\(name) hold what does not belong there") }
        return elements
    }
}

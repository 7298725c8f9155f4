public import SondeDomain

/// One observation that was read from text: the series in the words of a source, and a value.
public struct LinePoint: Hashable, Sendable {
    /// The series; it is within the bounds of the plugin contract.
    public var series: SeriesSpecification
    /// When it was observed; nil: the text has no time.
    public var time: Timestamp?
    /// The value; finite.
    public var value: SampleValue

    /// A point; throws what the contract does not take.
    public init(
        _ series: SeriesSpecification, time: Timestamp? = nil, value: SampleValue
    ) throws(LineFlaw) {
        try Self.check(series)
        try Self.check(value, of: series.kind)
        (self.series, self.time, self.value) = (series, time, value)
    }

    /// The most bytes of the name of a metric or of an attribute.
    public static let nameLimit = 255
    /// The most bytes of a unit.
    public static let unitLimit = 63
    /// The most bytes of the value of an attribute.
    public static let valueLimit = 1_024
    /// The most attributes of a series.
    public static let attributeLimit = 16

    private static func check(_ series: SeriesSpecification) throws(LineFlaw) {
        try check(series.name, "the name", 1...nameLimit)
        try check(series.unit, "the unit", 0...unitLimit)
        guard series.attributes.count <= attributeLimit else {
            throw LineFlaw("has more than \(attributeLimit) attributes")
        }
        for (index, attribute) in series.attributes.enumerated() {
            try check(attribute.name, "the name of an attribute", 1...nameLimit)
            try check(attribute.value, "the value of an attribute", 0...valueLimit)
            // They are sorted.
            guard index == 0 || series.attributes[index - 1].name != attribute.name else {
                throw LineFlaw("has an attribute twice")
            }
        }
    }

    private static func check(_ text: String, _ what: String, _ lengths: ClosedRange<Int>) throws(LineFlaw) {
        guard lengths.contains(text.utf8.count) else {
            throw LineFlaw("\(what) has not \(lengths.lowerBound) to \(lengths.upperBound) bytes")
        }
        guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) else {
            throw LineFlaw("\(what) has a control character")
        }
    }

    private static func check(_ value: SampleValue, of kind: MetricKind) throws(LineFlaw) {
        switch value {
        case .double(let number) where !number.isFinite: throw LineFlaw("the value is not finite")
        case .double(let number) where kind == .counter && number < 0: throw LineFlaw("a counter cannot be negative")
        case .signed(let number) where kind == .counter && number < 0: throw LineFlaw("a counter cannot be negative")
        case .histogram where kind != .histogram: throw LineFlaw("only a histogram has counts")
        case .double, .signed, .unsigned:
            guard kind != .histogram else { throw LineFlaw("a histogram has counts and no value") }
        case .histogram: return
        case .ended: throw LineFlaw("has no value")
        }
    }
}

/// Why a line is not what its format says.
public struct LineFlaw: Error, Hashable, Sendable {
    /// The reason in a few words.
    public let reason: String

    /// The reason as a sentence about the line, in the middle of one: `it has no name`, `time is no string`.
    public var sentence: String {
        let isOfTheLine = ["is ", "has ", "says "].contains { reason.hasPrefix($0) }
        return isOfTheLine ? "it \(reason)" : reason
    }

    /// A flaw.
    public init(_ reason: String) { self.reason = reason }
}

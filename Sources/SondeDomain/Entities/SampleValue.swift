/// A value exactly as its source gave it: integers stay integers.
public enum SampleValue: Hashable, Sendable {
    /// A finite double.
    case double(Double)
    /// A signed 64-bit integer.
    case signed(Int64)
    /// An unsigned 64-bit integer.
    case unsigned(UInt64)
    /// A cumulative histogram.
    case histogram(HistogramValue)
    /// None: the series has ended. Of points only, and only for sinks that ask for it.
    ///
    /// A case and not an optional: copying one of these by the run-time's own description of optionals costs a fifth of an encoded
    /// line.
    case ended

    /// Whether it is `none`: the series has ended.
    public var isEnd: Bool {
        if case .ended = self { true } else { false }
    }

    /// The value as a double, rounded where it must be; nil for a histogram.
    public var asDouble: Double? {
        switch self {
        case .double(let value): value
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .histogram, .ended: nil
        }
    }
}

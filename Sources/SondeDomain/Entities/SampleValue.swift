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

    /// The value as a double, rounded where it must be; nil for a histogram.
    public var asDouble: Double? {
        switch self {
        case .double(let value): value
        case .signed(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .histogram: nil
        }
    }
}

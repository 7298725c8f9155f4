/// A span of time in nanoseconds, ±292 years.
///
/// Used instead of `Swift.Duration` because it is 8 bytes, crosses the plugin contract as it is, and its arithmetic
/// clamps instead of trapping.
public struct Nanoseconds: Hashable, Sendable, Comparable {
    /// The span in nanoseconds; negative spans are allowed.
    public var value: Int64

    /// A span of `value` nanoseconds.
    public init(_ value: Int64) {
        self.value = value
    }

    /// A span of no length.
    public static let zero = Nanoseconds(0)

    /// A span of whole milliseconds, clamped.
    public static func milliseconds(_ count: Int64) -> Nanoseconds {
        Nanoseconds(scaled(count, by: 1_000_000))
    }

    /// A span of whole seconds, clamped.
    public static func seconds(_ count: Int64) -> Nanoseconds {
        Nanoseconds(scaled(count, by: 1_000_000_000))
    }

    /// The span in seconds.
    public var seconds: Double {
        Double(value) / 1e9
    }

    /// The sum, clamped.
    public static func + (left: Nanoseconds, right: Nanoseconds) -> Nanoseconds {
        let (sum, overflow) = left.value.addingReportingOverflow(right.value)
        return Nanoseconds(overflow ? (left.value < 0 ? .min : .max) : sum)
    }

    /// The span `factor` times as long, clamped.
    public static func * (span: Nanoseconds, factor: Int64) -> Nanoseconds {
        Nanoseconds(scaled(span.value, by: factor))
    }

    /// Orders spans by length.
    public static func < (left: Nanoseconds, right: Nanoseconds) -> Bool {
        left.value < right.value
    }

    private static func scaled(_ count: Int64, by factor: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        return overflow ? ((count < 0) != (factor < 0) ? .min : .max) : product
    }
}

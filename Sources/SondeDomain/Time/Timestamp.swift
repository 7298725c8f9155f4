/// A wall-clock instant: nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// Wall time only stamps what was observed; waits and rates use ``MonotonicInstant``.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Nanoseconds since the Unix epoch; negative before 1970.
    public var nanoseconds: Int64

    /// An instant from nanoseconds since the Unix epoch.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant from whole seconds since the Unix epoch, clamped to what nanoseconds can hold (1677 to 2262).
    public init(seconds: Int64) {
        let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.nanoseconds = overflow ? (seconds < 0 ? .min : .max) : value
    }

    /// An instant that never comes.
    public static let distantFuture = Timestamp(nanoseconds: .max)

    /// The instant that much later, clamped to what nanoseconds can hold.
    public func advanced(by span: Nanoseconds) -> Timestamp {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(span.value)
        return Timestamp(nanoseconds: overflow ? (span.value < 0 ? .min : .max) : sum)
    }

    /// Orders instants by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

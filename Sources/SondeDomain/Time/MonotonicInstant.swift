/// An instant on CLOCK_MONOTONIC: nanoseconds since an arbitrary point, never stepped.
public struct MonotonicInstant: Hashable, Sendable, Comparable {
    /// Nanoseconds on CLOCK_MONOTONIC.
    public var nanoseconds: Int64

    /// An instant from a CLOCK_MONOTONIC reading in nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant that never comes.
    public static let distantFuture = MonotonicInstant(nanoseconds: .max)

    /// The instant `span` later, clamped at the ends of the range.
    public func advanced(by span: Nanoseconds) -> MonotonicInstant {
        let (value, overflow) = nanoseconds.addingReportingOverflow(span.value)
        return MonotonicInstant(nanoseconds: overflow ? (span.value < 0 ? .min : .max) : value)
    }

    /// How long from `earlier` to this instant; negative when `earlier` is later.
    ///
    /// Clamped.
    public func since(_ earlier: MonotonicInstant) -> Nanoseconds {
        let (value, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return Nanoseconds(overflow ? (nanoseconds < earlier.nanoseconds ? .min : .max) : value)
    }

    /// Orders instants by time.
    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// A sample that the agent could not take, and why.
public struct SampleRejection: Hashable, Sendable {
    /// Why a sample is left out.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Its series is closed, was never opened, or was refused when it was opened.
        case noSeries = "no_series"
        /// Its value does not fit the kind of its series: a negative counter, a histogram where a number belongs.
        case wrongType = "wrong_type"
        /// NaN or an infinity.
        case notFinite = "not_finite"
        /// NULL, bounds that do not ascend, counts that do not fit the bounds.
        case malformedHistogram = "malformed_histogram"
        /// A struct_size that differs from the first sample's or is impossible.
        case malformedRecord = "malformed_record"
        /// Before 1970 or more than a day ahead.
        case impossibleTime = "impossible_time"
    }

    /// The handle that it names.
    public var series: UInt64
    /// Why it is left out.
    public var reason: Reason

    /// A rejection.
    public init(series: UInt64, reason: Reason) {
        self.series = series
        self.reason = reason
    }
}

public import SondeFormats
public import SondePluginKit

/// Minimum, median and maximum of response times in nanoseconds; nil without a time.
public struct ResponseTimeSummary: Hashable, Sendable {
    /// How many times there were; nil when that is not known.
    public var count: UInt64?
    /// The shortest.
    public var minimum: UInt64?
    /// The median.
    public var median: Double?
    /// The longest.
    public var maximum: UInt64?

    /// Nothing is known.
    public init() {}

    /// The summary of the times.
    public init(_ times: borrowing ResponseTimes) {
        count = times.count
        minimum = times.minimum
        median = times.median
        maximum = times.maximum
    }

    /// For people, in milliseconds; nil without a time.
    public var text: String? {
        guard let count, let minimum, let median, let maximum else { return nil }
        let parts = [Double(minimum), median, Double(maximum)].map(ReportLines.milliseconds)
        return "min \(parts[0]), median \(parts[1]), max \(parts[2]) of \(count)"
    }
}

extension ResponseTimeSummary: JSONWritable {
    /// Writes an object, in seconds; every key is there.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("count", count)
            json.member("min", minimum.map { Double($0) / 1e9 })
            json.member("median", median.map { $0 / 1e9 })
            json.member("max", maximum.map { Double($0) / 1e9 })
        }
    }
}

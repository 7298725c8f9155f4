public import SondeDomain
public import SondePluginKit

/// What DNS is counted for.
public enum DNSReport: Sendable {
    /// Metrics over time.
    case metrics
    /// One report at the end, with minimum, median and maximum of the response times.
    case responseTimes
}

/// How long answers took: a histogram per lane, or all times together for a report at the end.
public struct DNSLatencies: ~Copyable {
    /// The times for a report; nil when there will be none.
    public var times: ResponseTimes?
    @usableFromInline let histograms: UnsafeMutablePointer<LatencyHistogram>
    private let count: Int
    @usableFromInline let report: DNSReport

    /// Nothing yet, for `lanes` lanes with histograms of these bounds in nanoseconds.
    public init(lanes: Int, bounds: [UInt64] = LatencyHistogram.answerBounds, report: DNSReport) {
        self.report = report
        times = report == .responseTimes ? ResponseTimes() : nil
        count = max(lanes, 1)
        histograms = .allocate(capacity: count)
        for index in 0..<count { (histograms + index).initialize(to: LatencyHistogram(bounds: bounds)) }
    }

    deinit {
        histograms.deinitialize(count: count)
        histograms.deallocate()
    }

    /// Counts an answer of a lane, which is below the number of lanes.
    @inlinable
    @inline(always)
    public mutating func record(nanoseconds: UInt64, lane: Int) {
        guard report == .metrics else { return recordTime(nanoseconds) }
        (histograms + lane).pointee.record(nanoseconds: nanoseconds)
    }

    @inline(never)
    @usableFromInline
    mutating func recordTime(_ nanoseconds: UInt64) {
        times?.record(nanoseconds: nanoseconds)
    }

    /// The histogram of a lane; nil without an answer.
    public func histogram(lane: Int) -> HistogramValue? {
        histograms[lane].count > 0 ? histograms[lane].snapshot : nil
    }

    /// The times for a report; nil when there is none.
    public var summary: ResponseTimeSummary? {
        switch times {
        case .some(let times): ResponseTimeSummary(times)
        case .none: nil
        }
    }
}

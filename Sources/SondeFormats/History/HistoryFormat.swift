/// How exported history is written.
public enum HistoryFormat: String, Hashable, Sendable, CaseIterable {
    /// Comma-separated values with a header (RFC 4180, but lines end with LF).
    case csv
    /// One JSON object with all points.
    case json
    /// One JSON object per point and line.
    case ndjson
    /// OpenMetrics text with times, which `promtool tsdb create-blocks-from openmetrics` takes.
    case prometheus

    /// Whether each number of a point is a series of its own, all of whose points stand together.
    public var isByStatistic: Bool { self == .prometheus }
}

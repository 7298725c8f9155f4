public import SondeDomain

/// Writes lines of history in one format, piece by piece: ``begin(_:)``, any number of ``append(_:_:to:)``, ``end(_:)``.
public struct HistoryEncoder: Sendable {
    private let format: HistoryFormat
    private let host: String?
    /// The family of the last point, where the format has families.
    public private(set) var family: String
    private var hasPoints: Bool

    /// An encoder; `host` is on every point of formats that have labels.
    ///
    /// `isContinued`: points were written by an earlier encoder; `family`: those of which family last.
    public init(_ format: HistoryFormat, host: String?, isContinued: Bool = false, family: String = "") {
        self.format = format
        self.host = host
        hasPoints = isContinued
        self.family = family
    }

    /// Appends what is before the first point.
    public func begin(_ buffer: inout ByteBuffer) {
        switch format {
        case .csv:
            buffer.append(
                literal:
                    "time,step_seconds,metric,unit,member,source,average,minimum,maximum,peak,last,count,covered_seconds,events,p50,p95,p99\n"
            )
        case .json: buffer.append(literal: "{\"schema\":\"sonde.history.export/1\",\"points\":[")
        case .ndjson, .prometheus: break
        }
    }

    /// Appends what is after the last point.
    public func end(_ buffer: inout ByteBuffer) {
        switch format {
        case .json: buffer.append(literal: "\n]}\n")
        case .prometheus: buffer.append(literal: "# EOF\n")
        case .csv, .ndjson: break
        }
    }

    /// Appends the points of a line; `statistic` is the one number of each that is written, where the format writes one.
    public mutating func append(_ line: HistoryLine, _ statistic: HistoryStatistic?, to buffer: inout ByteBuffer) {
        switch format {
        case .csv:
            var writer = HistoryCSV(line)
            for point in line.points { writer.append(point, to: &buffer) }
        case .json, .ndjson:
            for point in line.points {
                if format == .json { buffer.append(literal: hasPoints ? ",\n" : "\n") }
                hasPoints = true
                var json = JSONWriter()
                json.object { line.write(point, to: &$0) }
                buffer.append(json.bytes)
                if format == .ndjson { buffer.append(0x0a) }
            }
        case .prometheus:
            let writer = HistoryOpenMetrics(line, statistic ?? .average, host: host)
            family = writer.append(line.points, after: family, to: &buffer)
        }
    }
}

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

    /// Whether each number of a point is its own series, all of whose points are contiguous.
    public var isByStatistic: Bool { self == .prometheus }
}

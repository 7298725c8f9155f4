public import SondeDomain
public import SondeFormats

/// Writes history in one of its formats, in pieces, so that no export has to fit in memory.
public struct ExportHistory: Sendable {
    /// The position in an export.
    public struct Cursor: Hashable, Sendable {
        /// The last series that was written.
        public var series: HistorySeries
        /// The last number of it that was written, where the format writes one at a time.
        public var statistic: HistoryStatistic?
        /// The family of the last point, where the format has families.
        public var family: String
        /// Whether a point was written.
        public var hasPoints: Bool

        /// A position after that series.
        public init(series: HistorySeries, statistic: HistoryStatistic?, family: String, hasPoints: Bool) {
            self.series = series
            self.statistic = statistic
            self.family = family
            self.hasPoints = hasPoints
        }
    }

    /// A piece of an export.
    public struct Page: Hashable, Sendable {
        /// The next bytes.
        public var bytes: [UInt8]
        /// How many parts are done.
        public var done: Int
        /// How many parts there are.
        public var count: Int
        /// The position of the next piece; nil: the export is complete.
        public var next: Cursor?
    }

    /// A page ends after the series that makes it longer than this.
    public static let pageBytes = 256 << 10

    private struct Part {
        let series: HistorySeries
        let statistic: HistoryStatistic?

        /// A family's points are written together: first all series of one number, then of the next.
        var order: (String, Int, HistorySeries) {
            let place = statistic.flatMap { HistoryStatistic.allCases.firstIndex(of: $0) } ?? -1
            return (series.metric.rawValue, place, series)
        }
    }

    private let record: RecordHistory
    private let host: String?

    /// A use case for what `record` keeps; `host` is on every point of formats that have labels.
    public init(_ record: RecordHistory, host: String?) {
        self.record = record
        self.host = host
    }

    /// The piece after `cursor`, the first one without.
    public func callAsFunction(
        _ query: HistoryQuery,
        _ format: HistoryFormat,
        after cursor: Cursor? = nil
    ) throws(SondeError) -> Page {
        try record.read { (reading) throws(SondeError) in
            let parts = Self.parts(of: reading.series.filter(query.wants), format)
            let begun = cursor.map { Part(series: $0.series, statistic: $0.statistic).order }
            let first = begun.map { begun in parts.firstIndex { $0.order > begun } ?? parts.count } ?? 0
            var encoder = HistoryEncoder(
                format, host: host, isContinued: cursor?.hasPoints ?? false, family: cursor?.family ?? "")
            var buffer = ByteBuffer()
            if cursor == nil { encoder.begin(&buffer) }
            var page = Page(bytes: [], done: first, count: parts.count, next: nil)
            var hasPoints = cursor?.hasPoints ?? false
            var known: HistoryLine?
            while page.done < parts.count, buffer.bytes.count < Self.pageBytes, let plan = query.plan {
                let part = parts[page.done]
                page.done += 1
                if known?.series != part.series { known = try reading.line(of: part.series, plan) }
                guard let line = known else { continue }
                encoder.append(line, part.statistic, to: &buffer)
                hasPoints = hasPoints || !line.points.isEmpty
                page.next = Cursor(
                    series: part.series, statistic: part.statistic, family: encoder.family, hasPoints: hasPoints)
            }
            if page.done >= parts.count || query.plan == nil {
                encoder.end(&buffer)
                page.next = nil
            }
            page.bytes = buffer.bytes
            return page
        }
    }

    private static func parts(of series: [HistorySeries], _ format: HistoryFormat) -> [Part] {
        guard format.isByStatistic else { return series.map { Part(series: $0, statistic: nil) } }
        return series.flatMap { series in
            HistoryStatistic.allCases.map { Part(series: series, statistic: $0) }
        }
        .sorted { $0.order < $1.order }
    }
}

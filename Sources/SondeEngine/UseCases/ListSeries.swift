public import SondeDomain

/// Lists the last point of every series that is open now, in pages.
///
/// May be called from any thread; waits for commits under way, which may wait for the disk.
public struct ListSeries: Sendable {
    /// A part of the answer, in the order of the series' numbers.
    public struct Page: Sendable {
        /// The last points.
        public let points: [SpooledPoint]
        /// The number after which the next page begins; nil: there is none.
        public let next: SeriesID?
    }

    private let channels: @Sendable () -> [SourceChannel]

    /// A use case over the channels of the sources that there are when it is called.
    public init(_ channels: @escaping @Sendable () -> [SourceChannel]) {
        self.channels = channels
    }

    /// At most `limit` points of series with a number above `number`.
    ///
    /// Series are opened and closed between two pages; none that stays open is left out.
    public func callAsFunction(_ query: SeriesQuery, after number: SeriesID?, limit: Int) -> Page {
        let parts = channels().map { $0.lastPoints(query, after: number, limit: limit) }
        // A source may have more after the number up to which it was read, which precede those of others.
        let end = parts.compactMap { $0.next?.rawValue }.min()
        let points = parts.flatMap(\.points).filter { $0.series.id.rawValue <= end ?? .max }
            .sorted { $0.series.id.rawValue < $1.series.id.rawValue }
        guard points.count > limit else { return Page(points: points, next: end.map(SeriesID.init(rawValue:))) }
        return Page(points: Array(points.prefix(limit)), next: points[limit - 1].series.id)
    }
}

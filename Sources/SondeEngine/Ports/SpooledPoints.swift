public import SondeDomain

/// Points in order as a batch has them: each series once, and the points with the index of theirs.
///
/// What is read from the log has this form from the start, so that no later step looks a series up, or counts a reference to it,
/// for each point.
public struct SpooledPoints: Sendable {
    /// Every series that ``entries`` name, once each, in the order of their first points.
    public private(set) var series: [Series] = []
    /// The points; indices are within ``series``.
    public private(set) var entries: [Batch.Entry] = []
    /// How many of them end their series.
    public private(set) var endCount = 0
    /// Where a series is in ``series``, for those that it has; made when one is looked up.
    private var places = RecentSeries<Void>()

    /// Points in order.
    public init(_ points: some Sequence<SpooledPoint> = []) {
        append(contentsOf: points)
    }

    /// No points, in the memory of another batch's entries, which are removed.
    public init(reusing memory: inout [Batch.Entry]) {
        // Moved: while two variables have an array, emptying one gives it memory of its own.
        swap(&entries, &memory)
        entries.removeAll(keepingCapacity: true)
    }

    /// Makes room for so many points in all.
    public mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
    }

    /// The index of a series, which is among ``series`` from now on.
    public mutating func index(of sought: Series) -> Int {
        for known in series[places.count...] { places.add((), for: known.id) }
        return places.index(of: sought.id) ?? add(sought)
    }

    /// Adds a series that is not among ``series`` and of which a point follows; its index.
    public mutating func add(_ new: Series) -> Int {
        series.append(new)
        return series.count &- 1
    }

    /// Adds a point of the series at an index.
    public mutating func append(_ value: SampleValue, of index: Int, at time: Timestamp, start: Timestamp?) {
        guard series.indices.contains(index) else { return }
        if value.isEnd { endCount &+= 1 }
        let point = MetricPoint(series: series[index].id, time: time, start: start, value: value)
        entries.append(Batch.Entry(seriesIndex: index, point: point))
    }

    /// Adds points.
    public mutating func append(contentsOf points: some Sequence<SpooledPoint>) {
        for point in points {
            append(point.value, of: index(of: point.series), at: point.time, start: point.start)
        }
    }
}

extension SpooledPoints: RandomAccessCollection {
    /// The place of the first point.
    public var startIndex: Int { 0 }
    /// The place after the last point.
    public var endIndex: Int { entries.count }

    /// A point by its place.
    public subscript(place: Int) -> SpooledPoint {
        let entry = entries[place]
        return SpooledPoint(
            series: series[entry.seriesIndex], time: entry.point.time, start: entry.point.start,
            value: entry.point.value)
    }
}

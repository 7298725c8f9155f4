/// One sink's cut of the log: points that are sent together, with the series they belong to.
public struct Batch: Sendable {
    /// One point and the index of its series in ``Batch/series``.
    public struct Entry: Sendable {
        /// Index into ``Batch/series``.
        public let seriesIndex: Int
        /// The point.
        public let point: MetricPoint

        /// An entry.
        public init(seriesIndex: Int, point: MetricPoint) {
            self.seriesIndex = seriesIndex
            self.point = point
        }
    }

    /// Which stretch it is.
    public let identity: BatchIdentity
    /// The `id` of the sink it was cut for.
    public let sink: String
    /// How often this stretch was offered before, since the process began.
    public private(set) var attempt: Int
    /// What every point has in common.
    public let resource: Resource
    /// Every series that ``entries`` names, once each.
    public let series: [Series]
    /// The points in sequence order.
    ///
    /// Indices are within ``series``.
    public let entries: [Entry]
    /// Snapshots and other documents in sequence order.
    public let documents: [Document]

    /// A batch.
    public init(
        identity: BatchIdentity,
        sink: String,
        attempt: Int = 0,
        resource: Resource = Resource(),
        series: [Series] = [],
        entries: [Entry] = [],
        documents: [Document] = []
    ) {
        self.identity = identity
        self.sink = sink
        self.attempt = attempt
        self.resource = resource
        self.series = series
        self.entries = entries
        self.documents = documents
    }

    /// The same batch with the number of another attempt.
    public func offered(attempt: Int) -> Batch {
        var batch = self
        batch.attempt = attempt
        return batch
    }
}

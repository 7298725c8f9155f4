public import SondeDomain

/// Gathers what sources commit, and returns the newest point of each series.
///
/// Sources do not tell everything in each collection: the states of sockets, for one, are counted at a pace of their own.
public struct CollectOnce {
    /// Nobody waits for these points: nothing to wake.
    private struct NoWakeup: Wakeup {
        func arm(at instant: MonotonicInstant) {}
    }

    private static let reader = "once"

    private let spool: any SpoolStore

    /// A use case that reads what `pipeline` appends to `spool` from now on.
    public init(spool: any SpoolStore, pipeline: Pipeline) {
        self.spool = spool
        spool.addReader(Self.reader, .durable, wants: [.metrics, .snapshots])
        pipeline.add(
            DeliveryGate(
                sink: Self.reader,
                wants: [.metrics, .snapshots],
                wait: .zero,
                maxCount: .max,
                maxBytes: .max,
                wakeup: NoWakeup()
            )
        )
    }

    /// The newest point of each series, in the order in which the series came, and the newest snapshot; nil: nothing came.
    public func newest() -> Batch? {
        guard let stretch = spool.cut(for: Self.reader, maxCount: .max, maxBytes: .max) else { return nil }
        var contents = spool.read(stretch, for: Self.reader)
        var places: [SeriesID: Int] = [:]
        var points: [SpooledPoint] = []
        for point in contents.points {
            if let place = places[point.series.id] {
                points[place] = point
            } else {
                places[point.series.id] = points.count
                points.append(point)
            }
        }
        let builder = BatchBuilder(
            sink: Self.reader, agent: "", filter: MetricGlobFilter(SinkConfiguration.MetricFilter()))
        (contents.points, contents.documents) = (points, contents.documents.suffix(1))
        return builder.batch(stretch, of: spool.epoch, contents)
    }
}

public import SondeDomain

/// Collects what sources commit, and returns the newest point of each series.
///
/// Sources do not report everything in each collection: the states of sockets, for example, have their own interval.
public struct CollectOnce {
    /// No sink waits for these points: nothing to wake.
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

    /// The newest point of each series, in the order of first points, and the newest snapshot; nil: there was none.
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
        let builder = BatchBuilder(sink: Self.reader, agent: "")
        (contents.points, contents.documents) = (SpooledPoints(points), contents.documents.suffix(1))
        return builder.batch(stretch, of: spool.epoch, contents)
    }
}

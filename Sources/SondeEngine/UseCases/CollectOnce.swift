public import SondeDomain

/// Collects twice, with a pause between so that rates exist, and returns what the second collection brought.
public struct CollectOnce {
    /// Nobody waits for these points: nothing to wake.
    private struct NoWakeup: Wakeup {
        func arm(at instant: MonotonicInstant) {}
    }

    private static let reader = "once"

    private let spool: any SpoolStore
    private let host: String?

    /// A use case that reads what `pipeline` appends to `spool`.
    public init(spool: any SpoolStore, pipeline: Pipeline, host: String?) {
        self.spool = spool
        self.host = host
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

    /// Collects, pauses, collects again.
    ///
    /// Nil when the second collection brought nothing.
    public func run(_ collectors: [CollectSource], pause: () -> Void) -> Batch? {
        for collector in collectors { collector.collectNow() }
        if let first = cut() { spool.acknowledge(first, for: Self.reader) }
        pause()
        for collector in collectors { collector.collectNow() }
        guard let stretch = cut() else { return nil }
        let content = spool.read(stretch, for: Self.reader)
        let builder = BatchBuilder(
            sink: Self.reader,
            origin: DeliverBatches.Origin(agent: "", resource: Resource(host: host)),
            epoch: spool.epoch,
            filter: MetricGlobFilter(SinkConfiguration.MetricFilter())
        )
        return builder.batch(stretch, content.points, content.documents)
    }

    private func cut() -> Stretch? {
        spool.cut(for: Self.reader, maxCount: .max, maxBytes: .max)
    }
}

internal import SondeDomain

/// What the agent says of itself as one sink gets it: the newest value of each series, in batches of their own that no log has.
///
/// It says how the agent is now. In the log it would be after everything that waits there. Used from the sink's thread.
struct NewestHealth {
    /// What a batch is made for.
    enum Occasion {
        /// The receiver has just accepted a batch.
        case regular
        /// The sink stops.
        case last
    }

    /// Reads the last points of the agent's own series; `interval` is how often it reports.
    typealias Reader = @Sendable () -> (contents: SpoolContents, interval: Nanoseconds)

    /// The longest time between two batches unless reports are rarer: half a minute, which may begin a little early.
    private static let longestPace = Nanoseconds.seconds(28)

    private let isServed: Bool
    private let newest: Reader
    private let builder: BatchBuilder
    /// The series that the receiver has, which have to end.
    private var live: [SeriesFingerprint: Series] = [:]
    private var pending: [SpooledPoint] = []
    private var sentAt: Timestamp?
    private var nextAt: MonotonicInstant?

    /// For `instance` with these settings.
    init(
        _ settings: DeliverBatches.Settings, agent: String, for instance: any SinkInstance, newest: @escaping Reader
    ) {
        isServed = instance.isServing
        builder = BatchBuilder(settings, agent: agent)
        self.newest = newest
    }

    /// The batch to offer now, beside the log of that epoch; nil: it is not due, or there is nothing new in it.
    ///
    /// The last one is due whenever there is something new: there is no later time.
    mutating func batch(besides epoch: String, at now: MonotonicInstant, _ occasion: Occasion) -> Batch? {
        guard occasion == .last || nextAt.map({ now >= $0 }) ?? true else { return nil }
        var (contents, interval) = newest()
        let points = Array(contents.points)
        guard let time = points.map(\.time).max(), sentAt.map({ time > $0 }) ?? true else { return nil }
        // One request for three of the log, each of which may begin a little early; what is served costs none.
        let pace = isServed ? .zero : min(Self.longestPace, Nanoseconds(interval.value / 8) * 23)
        nextAt = now.advanced(by: pace)
        pending = points + ends(missingFrom: points, at: time)
        contents.points = SpooledPoints(pending)
        let number = UInt64(clamping: time.nanoseconds / 1_000_000)
        // No stretch of the log: an epoch of its own, in which each batch has a number once.
        let batch = builder.batch(Stretch(first: number, last: number), of: epoch + "-now", contents)
        return batch.entries.isEmpty ? nil : batch
    }

    /// The batch that was made last was accepted.
    mutating func isDelivered() {
        for point in pending {
            live[SeriesFingerprint(point.series)] = point.value.isEnd ? nil : point.series
            sentAt = max(sentAt ?? point.time, point.time)
        }
        pending = []
    }

    private func ends(missingFrom points: [SpooledPoint], at time: Timestamp) -> [SpooledPoint] {
        let present = Set(points.map { SeriesFingerprint($0.series) })
        return live.filter { !present.contains($0.key) }.values
            .sorted { $0.id.rawValue < $1.id.rawValue }
            .map { SpooledPoint(series: $0, time: time, start: nil, value: .ended) }
    }
}

internal import SondeDomain

/// What the agent says of itself as one sink gets it: the newest value of each series, in batches of their own that no log has.
///
/// It says how the agent is now. In the log it would be after everything that waits there. Used from the sink's thread.
struct NewestHealth {
    /// What a report is sent for.
    enum Occasion {
        /// The receiver has just accepted a batch.
        case regular
        /// The sink stops.
        case last
    }

    /// Reads the last points of the agent's own series; `interval` is how often it reports.
    typealias Reader = @Sendable () -> (contents: SpoolContents, interval: Nanoseconds)

    /// The longest time between two reports that are sent, unless they are made more rarely: half a minute, which may begin a
    /// little early.
    private static let longestPace = Nanoseconds.seconds(28)

    private let sink: String
    private let isServed: Bool
    private let newest: Reader
    private let sent: SentHealth
    private let builder: BatchBuilder
    /// A receiver that refuses batches as too large gets smaller ones.
    private var maxCount: Int
    /// What is left of the report under way.
    private var queue: [SpooledPoint] = []
    private var resource = Resource(host: nil)
    private var pending: [SpooledPoint] = []
    private var number: UInt64 = 0
    private var sentTime: Timestamp?
    private var nextAt: MonotonicInstant?
    /// When the next report is due if the one under way is refused.
    private var afterRefusal: MonotonicInstant?

    /// For `instance` with these settings; `sent` is what the receivers have.
    init(
        _ settings: DeliverBatches.Settings, agent: String, for instance: any SinkInstance, sent: SentHealth,
        newest: @escaping Reader
    ) {
        sink = settings.id
        maxCount = settings.maxCount
        isServed = instance.isServing
        builder = BatchBuilder(settings, agent: agent)
        self.sent = sent
        self.newest = newest
    }

    /// Begins to send a report; false: none is due, or there is nothing new in it.
    ///
    /// The last one is due whenever there is something new: there is no later time.
    mutating func begin(at now: MonotonicInstant, _ occasion: Occasion) -> Bool {
        guard occasion == .last || nextAt.map({ now >= $0 }) ?? true else { return false }
        let (contents, interval) = newest()
        var points = Array(contents.points)
        // Another time, not a later one: a clock that was set back is followed.
        guard let time = points.map(\.time).max(), time != sentTime else { return false }
        number = UInt64(clamping: time.nanoseconds / 1_000_000)
        // One request for three of the log, each of which may begin a little early; what is served costs none.
        let pace = isServed ? .zero : min(Self.longestPace, Nanoseconds(interval.value / 8) * 23)
        afterRefusal = now.advanced(by: pace)
        if let old = sent[sink].resource, old != contents.resource, !sent[sink].series.isEmpty {
            // All series are others from now on, and are sent next.
            resource = old
            queue = ends(missingFrom: [], at: time)
            return true
        }
        resource = contents.resource
        // What it does is unknown once it has stopped, and would stay beside what it does after the next start.
        if occasion == .last { points.removeAll { AgentMetric.states.contains($0.series.name) } }
        queue = points + ends(missingFrom: points, at: time)
        sentTime = time
        nextAt = afterRefusal
        return true
    }

    /// The next batch of the report, beside the log of that epoch; nil: there is none left.
    mutating func batch(besides epoch: String) -> Batch? {
        while !queue.isEmpty {
            pending = Array(queue.prefix(maxCount))
            queue.removeFirst(pending.count)
            let contents = SpoolContents(resource: resource, last: 0, points: SpooledPoints(pending))
            // No stretch of the log: an epoch of its own, in which each batch has a number once.
            let batch = builder.batch(Stretch(first: number, last: number), of: epoch + "-now", contents)
            number &+= 1
            if !batch.entries.isEmpty { return batch }
            isDelivered()
        }
        return nil
    }

    /// The batch that was made last was accepted.
    mutating func isDelivered() {
        var entry = sent[sink]
        entry.resource = resource
        for point in pending {
            entry.series[SeriesFingerprint(point.series)] = point.value.isEnd ? nil : point.series
        }
        sent[sink] = entry
        pending = []
    }

    /// It was not; the rest of the report is dropped, since the next one is newer.
    mutating func isRefused(asTooLarge isTooLarge: Bool) {
        nextAt = afterRefusal
        if isTooLarge, pending.count > 1 {
            maxCount = pending.count / 2
            (sentTime, nextAt) = (nil, nil)
        }
        queue = []
        pending = []
    }

    private func ends(missingFrom points: [SpooledPoint], at time: Timestamp) -> [SpooledPoint] {
        let present = Set(points.map { SeriesFingerprint($0.series) })
        return sent[sink].series.filter { !present.contains($0.key) }.values
            .sorted { $0.id.rawValue < $1.id.rawValue }
            .map { SpooledPoint(series: $0, time: time, start: nil, value: .ended) }
    }
}

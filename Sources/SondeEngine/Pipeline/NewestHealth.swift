internal import SondeDomain

/// What the agent is like now, for a sink whose backlog would show it only once it is drained.
///
/// While a sink is behind, the newest value of each gauge of the agent itself goes ahead of the backlog, in a batch of its own that is
/// not recorded anywhere. What the backlog still has of these series, up to that time, is left out of it then: receivers
/// refuse what is older than what they have, and it is past. Counters stay where they are.
struct NewestHealth {
    // An interval of the agent is ten seconds as a rule.
    private static let pace = Nanoseconds.seconds(10)

    private let newest: @Sendable () -> SpoolContents
    private let behindAfter: Nanoseconds
    private let builder: BatchBuilder
    private var sent: [SeriesFingerprint: Timestamp] = [:]
    private var latest: Timestamp?
    private var pending: [SpooledPoint] = []
    private var nextAt: MonotonicInstant?
    /// What was there when the agent began is old, whenever it was read.
    private var beganBehind: Bool

    /// `newest` reads the last points of the agent's own gauges.
    init(
        _ settings: DeliverBatches.Settings, agent: String, beganBehind: Bool,
        newest: @escaping @Sendable () -> SpoolContents
    ) {
        builder = BatchBuilder(settings, agent: agent)
        behindAfter = settings.behindAfter
        self.beganBehind = beganBehind
        self.newest = newest
    }

    /// What waits was left by an instance that has just stopped.
    mutating func takeOver() { beganBehind = false }

    /// The batch to send ahead of a backlog; nil: the sink is not behind, or there is nothing new to say.
    ///
    /// At the stop the last values go whenever there are some: there is no later time.
    mutating func batch(
        ahead backlog: Backlog, of epoch: String, at now: MonotonicInstant, isStopping: Bool
    ) -> Batch? {
        guard isBehind(backlog, at: now) else {
            if backlog.count == 0 { sent = [:] }
            return nil
        }
        guard isStopping || nextAt.map({ now >= $0 }) ?? true else { return nil }
        var contents = newest()
        let points = contents.points.filter { $0.series.kind.isOfNow && !$0.value.isEnd }
        guard let time = points.map(\.time).max(), latest.map({ time > $0 }) ?? true else { return nil }
        nextAt = now.advanced(by: Self.pace)
        contents.points = SpooledPoints(points)
        let number = UInt64(clamping: time.nanoseconds / 1_000_000)
        // No stretch of the log: an epoch of its own, in which each batch has a number once.
        let batch = builder.batch(Stretch(first: number, last: number), of: epoch + "-now", contents)
        guard !batch.entries.isEmpty else { return nil }
        pending = points
        return batch
    }

    /// The batch was delivered: what the backlog has of its series up to its time is past.
    mutating func isDelivered() {
        for point in pending { sent[SeriesFingerprint(point.series)] = point.time }
        latest = pending.map(\.time).max()
        pending = []
    }

    /// The points of a stretch without those that a newer one has gone ahead of.
    func remaining(of points: SpooledPoints) -> SpooledPoints {
        guard !sent.isEmpty else { return points }
        let past = points.series.map { sent[SeriesFingerprint($0)] }
        guard past.contains(where: { $0 != nil }) else { return points }
        return SpooledPoints(
            zip(points.entries, points).lazy.filter { entry, point in
                past[entry.seriesIndex].map { point.time > $0 } ?? true
            }.map(\.1))
    }

    private mutating func isBehind(_ backlog: Backlog, at now: MonotonicInstant) -> Bool {
        guard backlog.count > 0 else {
            beganBehind = false
            return false
        }
        return beganBehind || backlog.oldest.map { now.since($0) > behindAfter } ?? false
    }
}

extension MetricKind {
    /// Whether a value says what is, and not what was counted until then.
    fileprivate var isOfNow: Bool {
        switch self {
        case .gauge, .upDown, .info: true
        case .counter, .histogram: false
        }
    }
}

internal import SondeDomain

/// What one source reads, for history and snapshots: collected sample by sample, passed on once per commit.
///
/// Not safe for use by several threads at once.
struct SourceReadings {
    private static let closedBound = 4_096

    private let source: String
    private let began: Timestamp
    private let history: RecordHistory?
    private let book: SnapshotBook?
    private var collector = HistoryCollector()
    private var facts: [SourceWindow.FactReading] = []
    private var ranked: [TopListWindow.Reading] = []
    /// Series of lists that were closed since the last commit: what comes in their place comes with the next one.
    private var closed: [SeriesID] = []
    private var lastCommit: MonotonicInstant?
    /// Whether history can be recorded: it is by wall time.
    var isClockRight = true
    /// What comes sooner after the commit before is not recorded in history.
    var leastRecorded = Nanoseconds.zero

    /// Those of a source; `began`: when the agent began to read it.
    init(source: String, began: Timestamp, history: RecordHistory?, book: SnapshotBook?) {
        self.source = source
        self.began = began
        self.history = history
        self.book = book
    }

    /// Takes a sample that was normalized.
    mutating func collect(
        _ output: SeriesNormalizer.Output,
        of entry: SeriesTable.Entry,
        wall: Timestamp,
        at now: MonotonicInstant
    ) {
        let counter = output.counter.map { fromStart($0, output.value, wall, now) }
        if let fact = entry.fact {
            let value = counter.map(\.rate) ?? output.value.asDouble
            facts.append(.init(fact, value: value, held: counter?.elapsed ?? .zero))
        }
        if let list = entry.list, let value = counter.map(\.delta) ?? output.value.asDouble {
            ranked.append(.init(list, entry.series, value: value))
        }
        for contribution in entry.history {
            switch contribution.part {
            case .rate: counter.map { collector.add(contribution, $0) }
            case .value, .peak: output.value.asDouble.map { collector.add(contribution, value: $0) }
            case .durations:
                guard case .histogram(let histogram) = output.value else { continue }
                let isNew = output.start.map { $0 >= began } ?? false
                collector.add(contribution, histogram, of: entry.series.id, from: isNew ? .zero : .unknown)
            }
        }
    }

    /// Passes on what was collected since the last commit; returns whether snapshots change.
    mutating func commit(wall: Timestamp, at now: MonotonicInstant) -> Bool {
        let readings = collector.take(time: wall, at: now)
        let isCutShort = lastCommit.map { now.since($0) < leastRecorded } ?? false
        if isClockRight, !isCutShort { history?.take(readings) }
        book?.take(readings, facts, ranked, closed: closed, of: source, time: wall, at: now)
        let isNew = !readings.isEmpty || !ranked.isEmpty
        facts.removeAll(keepingCapacity: true)
        ranked.removeAll(keepingCapacity: true)
        closed.removeAll(keepingCapacity: true)
        lastCommit = now
        return isNew
    }

    /// A series is closed: its object is gone.
    mutating func forget(_ entry: SeriesTable.Entry) {
        for contribution in entry.history where contribution.rank == .further {
            book?.forget(contribution.series, of: source)
        }
        collector.forget(entry.series.id)
        guard entry.list != nil else { return }
        closed.append(entry.series.id)
        // A source that never commits must not make it grow.
        guard closed.count >= Self.closedBound else { return }
        book?.forget(ranked: closed, of: source)
        closed.removeAll(keepingCapacity: true)
    }

    /// The increase of a first reading, where the counter began with the agent: all of it since the commit before.
    ///
    /// A source opens a series at its first value. What the kernel has counted before may not be new.
    private func fromStart(
        _ reading: CounterTracker.Reading,
        _ value: SampleValue,
        _ wall: Timestamp,
        _ now: MonotonicInstant
    ) -> CounterTracker.Reading {
        guard reading.verdict == .first, let start = reading.start, start >= began else { return reading }
        let whole = Nanoseconds(max(0, wall.nanoseconds.subtractingReportingOverflow(start.nanoseconds).partialValue))
        let elapsed = lastCommit.map { now.since($0) } ?? whole
        guard elapsed > .zero, let delta = value.asDouble, delta >= 0, (delta / elapsed.seconds).isFinite else {
            return reading
        }
        var known = reading
        known.delta = delta
        known.elapsed = elapsed
        known.rate = delta / elapsed.seconds
        return known
    }
}

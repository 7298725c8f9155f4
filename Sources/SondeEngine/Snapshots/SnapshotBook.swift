public import SondeDomain
internal import Synchronization

/// What all sources have reported within the window, from which snapshots are made.
///
/// May be called from any thread.
public final class SnapshotBook: Sendable {
    /// The window of averages, peaks and counts.
    public static let window = Nanoseconds.seconds(3_600)

    private struct State {
        var sources: [String: SourceWindow] = [:]
        var nameService = NameServiceCoverage(window: SnapshotBook.window)
        var drops = DropReasons(window: SnapshotBook.window)
        var version: UInt64 = 0
        /// The reader to be woken once at the next report; nil: there is none.
        var waiting: (wakeup: any Wakeup, notBefore: MonotonicInstant)?

        /// Something new was reported.
        mutating func step() {
            version &+= 1
            guard let waiting else { return }
            self.waiting = nil
            waiting.wakeup.arm(at: waiting.notBefore)
        }
    }

    private let state = Mutex(State())

    /// An empty book.
    public init() {}

    /// The number of reports: another number means that there is a new one.
    public var version: UInt64 { state.withLock { $0.version } }

    /// Arms `wakeup` once at `instant`, or at the next report after it that `version` does not count.
    public func wake(_ wakeup: any Wakeup, since version: UInt64, notBefore instant: MonotonicInstant) {
        state.withLock { state in
            guard state.version == version else { return wakeup.arm(at: instant) }
            state.waiting = (wakeup, instant)
        }
    }

    /// Cancels the wakeup.
    public func stopWaking() {
        state.withLock { $0.waiting = nil }
    }

    /// Takes the readings of one commit of a source; the series of lists that were `closed` before it go with it.
    public func take(
        _ readings: [HistoryCollector.Reading],
        _ facts: [SourceWindow.FactReading],
        _ ranked: [TopListWindow.Reading] = [],
        closed: [SeriesID] = [],
        of source: String,
        time: Timestamp,
        at now: MonotonicInstant
    ) {
        guard !readings.isEmpty || !facts.isEmpty || !ranked.isEmpty || !closed.isEmpty else { return }
        state.withLock { state in
            let last = state.sources[source]?.last
            if !closed.isEmpty { state.sources[source]?.forget(ranked: closed) }
            state.nameService.take(facts, of: source, since: last, at: now)
            state.drops.take(facts, of: source, since: last, at: now)
            // In place: a source's readings are not copied at every commit.
            state.sources[source, default: SourceWindow(window: Self.window)]
                .take(readings, facts, ranked, time: time, at: now)
            state.step()
        }
    }

    /// Takes what history has kept of a series of a source: points and when they ended.
    func restore(_ points: [(point: HistoryPoint, end: MonotonicInstant)], of series: HistorySeries) {
        state.withLock { state in
            state.sources[series.source, default: SourceWindow(window: Self.window)].restore(points, of: series)
            state.step()
        }
    }

    /// Forgets a series of a source whose object is gone.
    func forget(_ series: HistorySeries, of source: String) {
        state.withLock { $0.sources[source]?.forget(series) }
    }

    /// Forgets series of lists of a source whose things are gone.
    func forget(ranked series: [SeriesID], of source: String) {
        state.withLock { $0.sources[source]?.forget(ranked: series) }
    }

    /// Forgets all readings of a source that is gone.
    public func forget(source: String) {
        state.withLock { state in
            guard state.sources.removeValue(forKey: source) != nil else { return }
            state.drops.forget(source)
            state.step()
        }
    }

    /// Fills a snapshot with what is known at `now`.
    func fill(_ snapshot: inout Snapshot, at now: MonotonicInstant) {
        // The windows are values: reports meanwhile do not wait for the snapshot.
        let (sources, nameService, drops) = state.withLock { ($0.sources, $0.nameService, $0.drops) }
        snapshot.fill(from: sources, nameService, drops, at: now)
    }
}

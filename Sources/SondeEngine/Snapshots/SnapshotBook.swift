public import SondeDomain
internal import Synchronization

/// What all sources have told within the window: what snapshots are made of.
///
/// May be called from any thread.
public final class SnapshotBook: Sendable {
    /// What averages, peaks and counts look back over.
    public static let window = Nanoseconds.seconds(3_600)

    private struct State {
        var sources: [String: SourceWindow] = [:]
        var nameService = NameServiceCoverage(window: SnapshotBook.window)
        var version: UInt64 = 0
        /// Who is woken once at the next thing reported; nil while nobody watches.
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

    /// A book in which nothing stands.
    public init() {}

    /// How often something was told: another number means that there is something new.
    public var version: UInt64 { state.withLock { $0.version } }

    /// Arms `wakeup` once at `instant`, or at the next thing that is reported after it and that `version` does not count.
    public func wake(_ wakeup: any Wakeup, since version: UInt64, notBefore instant: MonotonicInstant) {
        state.withLock { state in
            guard state.version == version else { return wakeup.arm(at: instant) }
            state.waiting = (wakeup, instant)
        }
    }

    /// Wakes nobody any more.
    public func stopWaking() {
        state.withLock { $0.waiting = nil }
    }

    /// Takes what one commit of a source told.
    public func take(
        _ readings: [HistoryCollector.Reading],
        _ facts: [SourceWindow.FactReading],
        of source: String,
        time: Timestamp,
        at now: MonotonicInstant
    ) {
        guard !readings.isEmpty || !facts.isEmpty else { return }
        state.withLock { state in
            state.nameService.take(facts, of: source, since: state.sources[source]?.last, at: now)
            // In place: what a source has told is not copied at every commit.
            state.sources[source, default: SourceWindow(window: Self.window)].take(readings, facts, time: time, at: now)
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

    /// Forgets a series of a source whose thing is gone.
    func forget(_ series: HistorySeries, of source: String) {
        state.withLock { $0.sources[source]?.forget(series) }
    }

    /// Forgets all that a source has told, which is gone.
    public func forget(source: String) {
        state.withLock { state in
            guard state.sources.removeValue(forKey: source) != nil else { return }
            state.step()
        }
    }

    /// Fills a snapshot with what is known at `now`.
    func fill(_ snapshot: inout Snapshot, at now: MonotonicInstant) {
        // The windows are values: what is told meanwhile does not wait for the snapshot.
        let (sources, nameService) = state.withLock { ($0.sources, $0.nameService) }
        snapshot.fill(from: sources, nameService, at: now)
    }
}

internal import SondeDomain
internal import Synchronization

/// Passes the points of commits to one reader while it watches; otherwise costs one check of a flag per commit.
///
/// Bounded. May be called from any thread.
public final class SeriesUpdates: Sendable {
    /// Why the reader has to start again with the last points of all series.
    public enum Restart: String, Sendable {
        /// More points arrived than were taken.
        case lagged
        /// A source was changed or removed by a reload.
        case reload
    }

    /// What is new.
    public enum News: Sendable {
        /// Points in the order of their commits, and ends of series.
        case points(ArraySlice<SpooledPoint>)
        /// The reader's state may be outdated.
        case restart(Restart)
        /// Nothing.
        case nothing
    }

    /// How many points wait at most; with one more all are dropped, and the reader starts again.
    public static let bound = 100_000
    private static let atOnce = MonotonicInstant(nanoseconds: 1)

    private struct State {
        var wakeup: (any Wakeup)?
        var commits: [ArraySlice<SpooledPoint>] = []
        var count = 0
        var restart: Restart?
    }

    private let hasReader = Atomic<Bool>(false)
    private let state = Mutex(State())

    /// Updates without a reader.
    public init() {}

    /// Keeps points for the reader from now on, and arms `wakeup` when there are some.
    ///
    /// What `ListSeries` returns after this call includes all that came before it.
    public func begin(_ wakeup: any Wakeup) {
        state.withLock { $0.wakeup = wakeup }
        hasReader.store(true, ordering: .relaxed)
    }

    /// Stops keeping points.
    public func end() {
        hasReader.store(false, ordering: .relaxed)
        state.withLock { $0 = State() }
    }

    /// Whether there is a reader.
    var isWatched: Bool { hasReader.load(ordering: .relaxed) }

    /// Makes the reader start again.
    public func restart(_ reason: Restart) {
        state.withLock { Self.restart(reason, &$0) }
    }

    /// The next points, at most `limit`; where more wait the wakeup is armed again.
    public func take(atMost limit: Int) -> News {
        state.withLock { state in
            if let restart = state.restart {
                state.restart = nil
                return .restart(restart)
            }
            guard let first = state.commits.first else { return .nothing }
            let taken = first.prefix(limit)
            state.count -= taken.count
            state.commits[0] = first.dropFirst(limit)
            if state.commits[0].isEmpty { state.commits.removeFirst() }
            if !state.commits.isEmpty { state.wakeup?.arm(at: Self.atOnce) }
            return .points(taken)
        }
    }

    /// Takes the points of one commit.
    func add(_ points: ArraySlice<SpooledPoint>) {
        guard isWatched, !points.isEmpty else { return }
        state.withLock { state in
            guard let wakeup = state.wakeup, state.restart == nil else { return }
            guard state.count + points.count <= Self.bound else { return Self.restart(.lagged, &state) }
            if state.commits.isEmpty { wakeup.arm(at: Self.atOnce) }
            state.commits.append(points)
            state.count += points.count
        }
    }

    private static func restart(_ reason: Restart, _ state: inout State) {
        guard let wakeup = state.wakeup else { return }
        (state.commits, state.count, state.restart) = ([], 0, reason)
        wakeup.arm(at: atOnce)
    }
}

public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Remembers the deadlines of calls, and whether each has returned.
public final class RecordingObserver: CallObserver {
    private struct State {
        var deadlines: [MonotonicInstant] = []
        var open = 0
    }

    private let state = Mutex(State())

    /// An observer that has seen nothing.
    public init() {}

    /// The deadline of every call so far.
    public var deadlines: [MonotonicInstant] { state.withLock { $0.deadlines } }

    /// How many calls have begun and not returned.
    public var openCalls: Int { state.withLock { $0.open } }

    /// Remembers the call.
    public func callBegan(deadline: MonotonicInstant) {
        state.withLock {
            $0.deadlines.append(deadline)
            $0.open += 1
        }
    }

    /// Remembers its end.
    public func callEnded() {
        state.withLock { $0.open -= 1 }
    }
}

internal import SondeDomain
internal import Synchronization

/// Wishes for a reload: those that come while one goes on become one further reload.
///
/// May be called from any thread.
public final class ReconfigureRequests: Sendable {
    private struct State {
        var made: UInt64 = 0
        var taken: UInt64 = 0
        var ended: UInt64 = 0
        var outcome: Reconfigure.Outcome?
    }

    private let wakeup: any Wakeup
    private let state = Mutex(State())

    /// No wish so far; `wakeup` wakes whoever starts reloads.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// Asks for a reload that reads the configuration as it is now, or later; the number tells its outcome.
    @discardableResult
    public func make() -> UInt64 {
        let number = state.withLock { state in
            state.made &+= 1
            return state.made
        }
        wakeup.arm(at: MonotonicInstant(nanoseconds: 1))
        return number
    }

    /// The wishes that no reload has begun for, as one; nil: there is none.
    public func take() -> UInt64? {
        state.withLock { state in
            guard state.made > state.taken else { return nil }
            state.taken = state.made
            return state.taken
        }
    }

    /// Whether a wish waits that no reload has begun for.
    public var isWaiting: Bool { state.withLock { $0.made > $0.taken } }

    /// The reload for the wishes up to `number` has come to its end.
    public func end(_ number: UInt64, _ outcome: Reconfigure.Outcome) {
        state.withLock { state in
            state.ended = number
            state.outcome = outcome
        }
    }

    /// What became of a wish, as the last reload tells it; nil: its reload has not ended.
    public func outcome(of number: UInt64) -> Reconfigure.Outcome? {
        state.withLock { $0.ended >= number ? $0.outcome : nil }
    }
}

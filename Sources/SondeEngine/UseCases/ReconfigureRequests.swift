internal import SondeDomain
internal import Synchronization

/// Requests for a reload: those that arrive while one runs become one further reload.
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

    /// No request so far; `wakeup` wakes the thread that starts reloads.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// Requests a reload that reads the configuration as it is now, or later; the number identifies its outcome.
    @discardableResult
    public func make() -> UInt64 {
        let number = state.withLock { state in
            state.made &+= 1
            return state.made
        }
        wakeup.arm(at: MonotonicInstant(nanoseconds: 1))
        return number
    }

    /// The requests that no reload has begun for, as one; nil: there is none.
    public func take() -> UInt64? {
        state.withLock { state in
            guard state.made > state.taken else { return nil }
            state.taken = state.made
            return state.taken
        }
    }

    /// Whether a request waits that no reload has begun for.
    public var isWaiting: Bool { state.withLock { $0.made > $0.taken } }

    /// The reload for the requests up to `number` has ended.
    public func end(_ number: UInt64, _ outcome: Reconfigure.Outcome) {
        state.withLock { state in
            state.ended = number
            state.outcome = outcome
        }
    }

    /// The outcome of a request, from the last reload; nil: its reload has not ended.
    public func outcome(of number: UInt64) -> Reconfigure.Outcome? {
        state.withLock { $0.ended >= number ? $0.outcome : nil }
    }
}

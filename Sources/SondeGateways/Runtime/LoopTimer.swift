public import SondeDomain
public import SondeEngine
internal import Synchronization

/// A timer on CLOCK_MONOTONIC whose handler a loop calls: any thread may set it, and it takes no descriptor.
///
/// It fires once each time it is set, and never before its instant; one that is set before a loop watches it fires
/// there. The handler may set and unset every timer: one that it sets to an instant that has passed fires after the
/// loop has served its descriptors again. Time in which the machine is suspended does not count.
public final class LoopTimer: Wakeup {
    private enum State {
        /// No loop watches it.
        case apart(MonotonicInstant)
        case watched(LoopDeadlines)
    }

    private let state = Mutex(State.apart(.distantFuture))

    /// A timer that is not set.
    public init() {}

    deinit {
        state.withLock { state in
            if case .watched(let deadlines) = state { deadlines.set(ObjectIdentifier(self), to: .distantFuture) }
        }
    }

    /// Sets the timer; an instant that has passed fires at once, one in the distant future never does.
    public func arm(at instant: MonotonicInstant) {
        state.withLock { state in
            switch state {
            case .apart: state = .apart(instant)
            case .watched(let deadlines): deadlines.set(ObjectIdentifier(self), to: instant)
            }
        }
    }

    /// Unsets the timer.
    public func disarm() {
        arm(at: .distantFuture)
    }

    /// Has the handler called at once.
    func fire() {
        arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Moves the timer to a loop, and what it is set to.
    func join(_ deadlines: LoopDeadlines) {
        state.withLock { state in
            guard case .apart(let instant) = state else { return }
            state = .watched(deadlines)
            deadlines.set(ObjectIdentifier(self), to: instant)
        }
    }

    /// Removes the timer from its loop, and unsets it.
    func leave() {
        state.withLock { state in
            guard case .watched(let deadlines) = state else { return }
            deadlines.set(ObjectIdentifier(self), to: .distantFuture)
            state = .apart(.distantFuture)
        }
    }
}

/// What all timers of one loop are set to, on one descriptor.
final class LoopDeadlines: Sendable {
    private let timer: Timer
    private let queue = Mutex(DeadlineQueue<ObjectIdentifier>())

    /// Throws when the system has no descriptor left.
    init() throws(SondeError) {
        timer = try Timer()
    }

    /// Readable once the first deadline is reached.
    var descriptor: Int32 { timer.descriptor.raw }

    /// Sets the deadline of one timer.
    func set(_ key: ObjectIdentifier, to instant: MonotonicInstant) {
        queue.withLock { queue in
            let before = queue.next
            queue.set(key, to: instant)
            if queue.next != before { timer.arm(at: queue.next) }
        }
    }

    /// Has `takeReached` return the timers whose deadline has passed at `now`.
    func advance(to now: MonotonicInstant) {
        queue.withLock { queue in
            timer.acknowledge()
            queue.advance(to: now)
            if queue.next != .distantFuture { timer.arm(at: queue.next) }
        }
    }

    /// The next timer to fire; nil: there is none.
    func takeReached() -> ObjectIdentifier? {
        queue.withLock { $0.takeReached() }
    }
}

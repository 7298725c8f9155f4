public import SondeDomain
public import SondeEngine
internal import Synchronization

/// What the engine's loop and the thread of one plugin instance share: a timer, a cancel signal, a stop request.
public final class InstanceControl: Sendable {
    /// What the thread should do.
    public enum Wish: Hashable, Sendable {
        /// Wait until it is released.
        case hold
        /// Continue.
        case work
        /// End by this instant.
        case stop(Departure, by: MonotonicInstant)
    }

    /// Why an instance ends.
    public enum Departure: Hashable, Sendable {
        /// The agent stops: what waits is delivered, and kept where it is kept.
        case withAgent
        /// Another of the same id continues with what waits.
        case handOver
        /// It is no longer configured: what waits is delivered, and the rest lost.
        case forGood
    }

    /// Wakes the thread.
    public let timer: Timer
    /// Ends calls into the plugin.
    public let cancel: CancelSignal
    /// Detects calls that hang.
    public let watch: CallWatch
    /// Notifies the thread that the instance's process has ended.
    public let ended: EndNotice
    /// Fires when a call may hang.
    let callIsLate = LoopTimer()
    /// Fires when the thread has ended.
    let threadEnded = LoopTimer()
    private let clock: any Clock
    private let entry: StatusEntry?
    private let wish: Mutex<Wish>
    private let finished = Atomic<Bool>(false)
    private let hasBegun: Atomic<Bool>

    /// The control of an instance that was not started; `wish` is what its thread should do first.
    ///
    /// Throws when the system has no descriptor left.
    public init(
        component: String,
        log: any EventLog,
        clock: any Clock = SystemClock(),
        entry: StatusEntry? = nil,
        wish: Wish = .work
    ) throws(SondeError) {
        self.wish = Mutex(wish)
        hasBegun = Atomic(wish != .hold)
        self.clock = clock
        self.entry = entry
        timer = try Timer()
        ended = EndNotice(wakeup: timer)
        cancel = try CancelSignal()
        watch = CallWatch(component: component, timer: callIsLate, log: log, clock: clock, entry: entry)
    }

    /// What the thread should do.
    public var currentWish: Wish { wish.withLock { $0 } }

    /// Whether the thread has ended.
    public var isFinished: Bool { finished.load(ordering: .acquiring) }

    /// Releases a thread that is held; any other is not affected.
    func begin() {
        let wasHeld = wish.withLock { wish in
            guard wish == .hold else { return false }
            hasBegun.store(true, ordering: .releasing)
            wish = .work
            return true
        }
        if wasHeld { timer.arm(at: MonotonicInstant(nanoseconds: 1)) }
    }

    /// Waits while the thread is held; false: it should end before it has begun.
    ///
    /// Only for the thread itself.
    func waitToBegin() -> Bool {
        while currentWish == .hold { timer.wait() }
        return hasBegun.load(ordering: .acquiring)
    }

    /// How the thread ends; nil: it should not.
    var departure: Departure? {
        guard case .stop(let departure, _) = currentWish else { return nil }
        return departure
    }

    /// Requests that the thread ends, and wakes it; a permanent removal stays one also when the agent stops.
    public func stop(_ departure: Departure = .withAgent, by instant: MonotonicInstant) {
        wish.withLock { wish in
            if case .stop(.forGood, _) = wish {
                wish = .stop(.forGood, by: instant)
            } else {
                wish = .stop(departure, by: instant)
            }
        }
        entry?.update { $0.enter(.stopping, at: clock.monotonicTime) }
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Waits for the timer, unless the thread should stop.
    ///
    /// Only for the thread itself, after it has set the timer.
    func wait() {
        guard currentWish == .work else { return }
        timer.wait()
    }

    /// Waits until an instant or until the thread is woken, unless it should stop.
    ///
    /// Only for the thread itself. The timer stays as the waker has set it.
    func wait(until instant: MonotonicInstant) {
        guard currentWish == .work else { return }
        timer.wait(until: instant, clock)
    }

    /// The thread has ended.
    func markFinished() {
        entry?.update { $0.enter(.ended, at: clock.monotonicTime) }
        finished.store(true, ordering: .releasing)
        threadEnded.fire()
    }
}

internal import CLinux
internal import Glibc
public import SondeDomain
public import SondeEngine
internal import Synchronization

/// What the engine's loop and the thread of one plugin instance share: a timer, a cancel signal, a wish to stop.
public final class InstanceControl: Sendable {
    /// What the thread should do.
    public enum Wish: Hashable, Sendable {
        /// Go on.
        case work
        /// Come to an end by this instant.
        case stop(by: MonotonicInstant)
    }

    /// Wakes the thread.
    public let timer: Timer
    /// Ends calls into the plugin.
    public let cancel: CancelSignal
    /// Notices calls that hang.
    public let watch: CallWatch
    private let finishedEvent: OwnedDescriptor
    private let clock: any Clock
    private let entry: StatusEntry?
    private let wish = Mutex(Wish.work)
    private let finished = Atomic<Bool>(false)

    /// The control of an instance that was not started.
    ///
    /// Throws when the system has no descriptor left.
    public init(
        component: String, log: any EventLog, clock: any Clock = SystemClock(), entry: StatusEntry? = nil
    ) throws(SondeError) {
        self.clock = clock
        self.entry = entry
        timer = try Timer()
        cancel = try CancelSignal()
        watch = try CallWatch(component: component, log: log, clock: clock, entry: entry)
        finishedEvent = try OwnedDescriptor(eventfd(0, Int32(EFD_CLOEXEC)), of: "eventfd")
    }

    /// What the thread should do.
    public var currentWish: Wish { wish.withLock { $0 } }

    /// Becomes readable when the thread has come to its end.
    public var finishedDescriptor: Int32 { finishedEvent.raw }

    /// Whether the thread has come to its end.
    public var isFinished: Bool { finished.load(ordering: .acquiring) }

    /// Asks the thread to come to an end, and wakes it.
    public func stop(by instant: MonotonicInstant) {
        wish.withLock { $0 = .stop(by: instant) }
        entry?.update { $0.enter(.stopping, at: clock.monotonicTime) }
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Takes back the event, so that the descriptor is readable no longer.
    ///
    /// The loop's own call.
    func acknowledgeFinished() {
        var count: UInt64 = 0
        _ = read(finishedEvent.raw, &count, MemoryLayout<UInt64>.size)
    }

    /// Waits for the timer, unless the thread should stop.
    ///
    /// The thread's own call, after it has set the timer.
    func wait() {
        guard currentWish == .work else { return }
        timer.wait()
    }

    /// Waits until an instant or until somebody wakes the thread, unless it should stop.
    ///
    /// The thread's own call. The timer stays as whoever wakes has set it.
    func wait(until instant: MonotonicInstant) {
        guard currentWish == .work else { return }
        timer.wait(until: instant, clock)
    }

    /// The thread has come to its end.
    func markFinished() {
        entry?.update { $0.enter(.ended, at: clock.monotonicTime) }
        finished.store(true, ordering: .releasing)
        var one: UInt64 = 1
        _ = write(finishedEvent.raw, &one, MemoryLayout<UInt64>.size)
    }
}

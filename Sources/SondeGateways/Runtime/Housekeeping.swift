public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Work on a separate thread, when a timer fires and once more at the end: it may take as long as a disk does, and
/// no other thread waits for it.
public final class Housekeeping: Sendable {
    /// The work; returns when it is to be done again by itself.
    public typealias Work = @Sendable () -> MonotonicInstant

    /// Set by any component that has work.
    public let timer: Timer
    /// Fires when the thread has ended.
    let threadEnded = LoopTimer()
    private let name: String
    private let work: Work
    private let clock: any Clock
    private let isStopping = Atomic<Bool>(false)
    private let finished = Atomic<Bool>(false)

    /// Work that a timer starts, on a thread of that name; the thread was not started.
    public init(
        _ name: String = "housekeeping",
        timer: Timer,
        clock: any Clock,
        work: @escaping Work
    ) {
        self.name = name
        self.timer = timer
        self.clock = clock
        self.work = work
    }

    /// Starts the thread.
    func start() throws(SondeError) -> PluginThread {
        try PluginThread(name: name) { [self] in
            var next = MonotonicInstant.distantFuture
            while !isStopping.load(ordering: .acquiring) {
                timer.wait(until: next, clock)
                if !isStopping.load(ordering: .acquiring) { next = work() }
            }
            // What was added during the work, or before the thread ran at all, was not handled so far.
            _ = work()
            finished.store(true, ordering: .releasing)
            threadEnded.fire()
        }
    }

    /// Does the work now.
    func hurry() {
        timer.arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Requests that the work is done a last time, and that the thread ends.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        hurry()
    }

    /// Whether the thread has ended.
    var isFinished: Bool { finished.load(ordering: .acquiring) }
}

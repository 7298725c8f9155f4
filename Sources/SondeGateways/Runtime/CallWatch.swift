public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Notices a call into a plugin that has not returned by its deadline, while it still hangs.
///
/// The instance's thread sets and unsets a timer; the engine's loop looks when it fires, which in good times is never.
public final class CallWatch: CallObserver {
    // How much longer than its deadline a call may take before it is spoken of as hanging.
    private static let grace = Nanoseconds.seconds(5)

    /// Fires when a call hangs; the loop watches its descriptor.
    public let timer: Timer
    private let component: String
    private let log: any EventLog
    private let clock: any Clock
    private let entry: StatusEntry?
    private let hangs = Mutex(false)

    /// A watch over the calls of one instance.
    ///
    /// Throws when the system has no descriptor left.
    public init(
        component: String, log: any EventLog, clock: any Clock = SystemClock(), entry: StatusEntry? = nil
    ) throws(SondeError) {
        timer = try Timer()
        self.clock = clock
        self.entry = entry
        self.component = component
        self.log = log
    }

    /// A call began.
    public func callBegan(deadline: MonotonicInstant) {
        timer.arm(at: deadline == .distantFuture ? deadline : deadline.advanced(by: Self.grace))
    }

    /// It returned.
    public func callEnded() {
        timer.disarm()
        let didHang = hangs.withLock { hangs in
            defer { hangs = false }
            return hangs
        }
        guard didHang else { return }
        entry?.update { $0.endHang() }
        log.log(.info, "the call that hung has returned", component: component)
    }

    /// Tells of a call that hangs.
    ///
    /// The loop calls it when the timer has fired.
    public func report() {
        // Between the loop's look and here the call may have returned, or the next one begun.
        guard timer.acknowledge() else { return }
        hangs.withLock { $0 = true }
        let error = SondeError(
            .callHangs,
            stage: .pipeline,
            class: .transient,
            message: "a call into this plugin has not returned by its deadline; everything else goes on",
            recovery: [.advise("Report it to the plugin's author; restarting the agent ends the call.")],
            component: component
        )
        entry?.update { $0.beginHang(error, at: clock.monotonicTime) }
        log.log(.error, error)
    }
}

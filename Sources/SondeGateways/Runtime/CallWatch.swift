public import SondeDomain
public import SondeEngine
internal import Synchronization

/// Detects a call into a plugin that has not returned by its deadline, while it still hangs.
///
/// The instance's thread stores the deadline of each call, and moves a timer only when the one that is set would
/// fire much too early or too late: a source that is called ten times a second makes a system call for it once in a few
/// seconds. The engine's loop checks when the timer fires, which normally is after the last call at most.
public final class CallWatch: CallObserver {
    private struct State {
        /// When the call that is under way hangs; the distant future while there is none, or none with a deadline.
        var hangsAt = MonotonicInstant.distantFuture
        /// What the timer is set to; the distant future: not set.
        var timerIsAt = MonotonicInstant.distantFuture
        var isHanging = false
    }

    // How much longer than its deadline a call may take before it is reported as hanging.
    private static let grace = Nanoseconds.seconds(5)

    // How late a report may be, so that the timer need not be moved for each call.
    private static let lateness = Nanoseconds.seconds(1)

    // Less than the grace: calls that follow each other without a pause move the timer before it fires needlessly.
    private static let earliness = Nanoseconds.seconds(4)

    private let timer: any Wakeup
    private let component: String
    private let log: any EventLog
    private let clock: any Clock
    private let entry: StatusEntry?
    private let state = Mutex(State())

    /// A watch over the calls of one instance; `timer` fires when one may hang.
    public init(
        component: String,
        timer: any Wakeup,
        log: any EventLog,
        clock: any Clock = SystemClock(),
        entry: StatusEntry? = nil
    ) {
        self.timer = timer
        self.clock = clock
        self.entry = entry
        self.component = component
        self.log = log
    }

    /// A call began.
    public func callBegan(deadline: MonotonicInstant) {
        guard deadline != .distantFuture else { return }
        let instant = deadline.advanced(by: Self.grace)
        state.withLock { state in
            state.hangsAt = instant
            // A timer that is not set is later than anything.
            let isLate = state.timerIsAt > instant.advanced(by: Self.lateness)
            guard isLate || state.timerIsAt.advanced(by: Self.earliness) < instant else { return }
            set(instant, &state)
        }
    }

    /// It returned.
    public func callEnded() {
        let didHang = state.withLock { state in
            defer { state.isHanging = false }
            state.hangsAt = .distantFuture
            return state.isHanging
        }
        guard didHang else { return }
        entry?.update { $0.endHang() }
        log.log(.info, "the call that hung has returned", component: component)
    }

    /// Reports a call that hangs, and returns whether one does.
    ///
    /// The loop calls it when the timer has fired.
    @discardableResult
    public func report() -> Bool {
        guard noteHang() else { return false }
        let error = SondeError(
            .callHangs,
            stage: .pipeline,
            class: .transient,
            message: "a call into this plugin has not returned by its deadline; everything else continues",
            recovery: [
                .advise(
                    "Report it to the plugin's author; an instance with a process of its own is killed and starts again, "
                        + "otherwise restarting the agent ends the call.")
            ],
            component: component
        )
        entry?.update { $0.beginHang(error, at: clock.monotonicTime) }
        log.log(.error, error)
        return true
    }

    /// True when a call hangs that was not reported; otherwise the timer is set for the one that is under way, if there is one.
    private func noteHang() -> Bool {
        let now = clock.monotonicTime
        return state.withLock { state in
            state.timerIsAt = .distantFuture
            guard state.hangsAt != .distantFuture, !state.isHanging else { return false }
            guard now >= state.hangsAt else {
                set(state.hangsAt, &state)
                return false
            }
            state.isHanging = true
            return true
        }
    }

    private func set(_ instant: MonotonicInstant, _ state: inout State) {
        state.timerIsAt = instant
        timer.arm(at: instant)
    }
}

public import SondeDomain
internal import Synchronization

/// A notice that the process of an instance has ended, from the watching thread to the instance's thread.
public final class EndNotice: Sendable {
    private let error = Mutex<SondeError?>(nil)
    private let wakeup: any Wakeup

    /// No notice; `wakeup` wakes the instance's thread.
    public init(wakeup: any Wakeup) {
        self.wakeup = wakeup
    }

    /// The process has ended, for this reason.
    ///
    /// May be called from any thread.
    public func give(_ error: SondeError) {
        self.error.withLock { $0 = error }
        wakeup.arm(at: MonotonicInstant(nanoseconds: 1))
    }

    /// Whether a notice waits.
    var isGiven: Bool { error.withLock { $0 != nil } }

    /// The reason, once.
    func take() -> SondeError? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}

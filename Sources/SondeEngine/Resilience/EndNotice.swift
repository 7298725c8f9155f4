public import SondeDomain
internal import Synchronization

/// That the process of an instance has ended, on its way from the one who watches it to the instance's thread.
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

    /// Whether there is one that was not taken.
    var isGiven: Bool { error.withLock { $0 != nil } }

    /// The reason, once.
    func take() -> SondeError? {
        error.withLock { error in
            defer { error = nil }
            return error
        }
    }
}

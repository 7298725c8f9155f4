public import SondeDomain

/// Observes calls into plugins, so that one that never returns is reported while it hangs.
public protocol CallObserver: Sendable {
    /// A call began that should return by `deadline`.
    func callBegan(deadline: MonotonicInstant)
    /// It returned.
    func callEnded()
}

/// Work that the engine's loop does when a timer fires, and once more at the end.
public struct Housekeeping {
    /// Whoever sees that there is work sets it.
    public let timer: Timer
    /// The work; called on the loop's thread.
    public let work: () -> Void

    /// Work behind a timer.
    public init(timer: Timer, work: @escaping () -> Void) {
        self.timer = timer
        self.work = work
    }
}

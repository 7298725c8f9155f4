/// What a source or sink is doing.
public enum InstanceState: String, Hashable, Sendable, CaseIterable {
    /// It opens its resources.
    case starting
    /// It works.
    case running
    /// It has failed and is tried again soon.
    case backingOff = "backing_off"
    /// It has failed, a person should act, and it is probed rarely.
    case held
    /// It works and has nothing to do.
    case idle
    /// A call into its plugin has not returned by its deadline.
    case overdue
    /// It finishes its work.
    case stopping
    /// It has ended.
    case ended

    /// Whether it fails.
    public var isFailing: Bool {
        switch self {
        case .backingOff, .held, .overdue: true
        case .starting, .running, .idle, .stopping, .ended: false
        }
    }
}

public import SondeDomain
public import SondeEngine

/// The thread of one source or sink, as the loop sees it.
///
/// Used from the loop's thread, or from the one that makes it before it is passed on.
public protocol InstanceRunner: AnyObject, Sendable {
    /// The instance's `id`.
    var id: String { get }
    /// The plugin's name.
    var plugin: String { get }
    /// Source or sink.
    var role: InstanceRole { get }
    /// What the loop uses to stop the thread and to detect its end.
    var control: InstanceControl { get }
    /// How it is registered.
    var membership: Membership { get }
    /// The instance's own process; nil: it runs in the agent's.
    var process: (any InstanceProcess)? { get }
    /// Starts the thread, which works at once or, when the control holds it, once it is released.
    func start() throws(SondeError)
    /// Requests that the thread ends.
    func stop(_ departure: InstanceControl.Departure, by instant: MonotonicInstant)
    /// Waits for the thread, which must have finished.
    func join()
}

/// The result of killing an instance.
enum ForcedEnd {
    /// Its process ends, and with it the call under way: its thread continues.
    case killed
    /// It runs in the agent's process, where a call cannot be ended.
    case leftBehind
}

extension InstanceRunner {
    /// Kills the instance.
    @discardableResult
    func endByForce() -> ForcedEnd {
        guard let process else { return .leftBehind }
        process.kill()
        return .killed
    }
}

/// Source or sink.
public enum InstanceRole: Hashable, Sendable {
    /// It reads samples.
    case source
    /// It delivers batches.
    case sink
}

/// How an instance is registered and removed.
public struct Membership: Sendable {
    /// Replaces the instance of the same id.
    public let join: @Sendable () -> Void
    /// Removes the instance.
    public let leave: @Sendable () -> Void

    /// `join` is called on the thread of an instance that was held, before it begins, and replaces the instance of
    /// the same id; `leave` on the loop's, when one that is removed permanently has ended.
    public init(join: @escaping @Sendable () -> Void, leave: @escaping @Sendable () -> Void) {
        self.join = join
        self.leave = leave
    }

    /// For an instance that is not registered.
    public static let none = Membership(join: {}, leave: {})
}

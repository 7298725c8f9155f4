public import SondeDomain
public import SondeEngine

/// The thread of one source or sink, as the loop sees it.
///
/// Used from the loop's thread, or from the one that makes it before it is handed over.
public protocol InstanceRunner: AnyObject, Sendable {
    /// The instance's `id`.
    var id: String { get }
    /// The plugin's name.
    var plugin: String { get }
    /// Which side of the agent it is on.
    var role: InstanceRole { get }
    /// What the loop uses to stop the thread and to learn of its end.
    var control: InstanceControl { get }
    /// How others come to see it.
    var membership: Membership { get }
    /// The process that the instance has to itself; nil: it runs in the agent's.
    var process: (any InstanceProcess)? { get }
    /// Starts the thread, which works at once or, when the control holds it, once it is let go.
    func start() throws(SondeError)
    /// Asks the thread to come to an end.
    func stop(_ departure: InstanceControl.Departure, by instant: MonotonicInstant)
    /// Waits for the thread, which must have finished.
    func join()
}

/// What became of an instance that was to be ended by force.
enum ForcedEnd {
    /// Its process ends, and with it the call under way: its thread goes on.
    case killed
    /// It runs in the agent's process, where nobody can end a call.
    case leftBehind
}

extension InstanceRunner {
    /// Ends the instance whatever it does.
    @discardableResult
    func endByForce() -> ForcedEnd {
        guard let process else { return .leftBehind }
        process.kill()
        return .killed
    }
}

/// Which side of the agent an instance is on.
public enum InstanceRole: Hashable, Sendable {
    /// It brings samples.
    case source
    /// It takes batches.
    case sink
}

/// How an instance becomes one that others see, and how it ceases to be one.
public struct Membership: Sendable {
    /// Takes the place of whoever has the same id.
    public let join: @Sendable () -> Void
    /// Gives the place up.
    public let leave: @Sendable () -> Void

    /// `join` is called on the thread of an instance that was held, before it begins, and takes the place of whoever has
    /// the same id; `leave` on the loop's, when one that leaves for good has ended.
    public init(join: @escaping @Sendable () -> Void, leave: @escaping @Sendable () -> Void) {
        self.join = join
        self.leave = leave
    }

    /// For an instance that nobody sees.
    public static let none = Membership(join: {}, leave: {})
}

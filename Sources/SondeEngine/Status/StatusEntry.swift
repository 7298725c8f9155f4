public import SondeDomain
internal import Synchronization

/// The status of one instance, published by its thread and read by the loop.
///
/// Publishing takes an uncontended lock and wakes no thread. May be called from any thread.
public final class StatusEntry: Sendable {
    private let status: Mutex<InstanceStatus>

    /// An entry for an instance that was not started.
    public init(
        id: String, plugin: String, kind: InstanceStatus.Kind, sandbox: Sandbox? = nil, limits: LimitKeeping? = nil,
        at now: MonotonicInstant
    ) {
        status = Mutex(
            InstanceStatus(id: id, plugin: plugin, kind: kind, sandbox: sandbox, limits: limits, at: now))
    }

    /// Its status so far.
    public var current: InstanceStatus { status.withLock { $0 } }

    /// Publishes a change.
    public func update(_ change: (inout InstanceStatus) -> Void) {
        status.withLock { change(&$0) }
    }

    /// Publishes a change and returns its result.
    func change<Result: Sendable>(_ change: (inout InstanceStatus) -> Result) -> Result {
        status.withLock { change(&$0) }
    }
}

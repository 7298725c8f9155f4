public import SondeDomain
public import SondeEngine
internal import Synchronization

/// The thread of one source.
public final class SourceRunner: InstanceRunner {
    // Passed to the thread when it starts; used only there after that.
    private struct Cargo: @unchecked Sendable {
        let useCase: CollectSource
        let instance: any SourceInstance
    }

    /// What the loop uses to stop the thread and to detect its end.
    public let control: InstanceControl
    /// The source's `id`.
    public let id: String
    /// The plugin's name.
    public let plugin: String
    /// A source.
    public let role = InstanceRole.source
    /// How it is registered.
    public let membership: Membership
    /// The instance's own process.
    public let process: (any InstanceProcess)?
    private let isStreaming: Bool
    private let cargo: Cargo
    private let thread = Mutex<PluginThread?>(nil)

    /// A runner that was not started.
    public init(
        id: String,
        plugin: String = "",
        useCase: CollectSource,
        instance: any SourceInstance,
        control: InstanceControl,
        membership: Membership = .none
    ) {
        self.id = id
        self.plugin = plugin
        self.membership = membership
        self.control = control
        isStreaming = instance.isStreaming
        process = instance.process
        cargo = Cargo(useCase: useCase, instance: instance)
    }

    /// Starts the thread: the first collection is made at once, or when the thread is released.
    public func start() throws(SondeError) {
        let (control, cargo, membership) = (control, cargo, membership)
        let isHeld = control.currentWish == .hold
        let new = try PluginThread(name: id) {
            if control.waitToBegin() {
                if isHeld { membership.join() }
                while control.currentWish == .work {
                    control.wait(until: cargo.useCase.step())
                }
                cargo.useCase.finish()
                if control.departure == .forGood { cargo.useCase.endSeries() }
            }
            cargo.instance.close()
            control.markFinished()
        }
        thread.withLock { $0 = new }
    }

    /// Requests a final collection and the end of the thread.
    public func stop(_ departure: InstanceControl.Departure = .withAgent, by instant: MonotonicInstant) {
        control.stop(departure, by: instant)
        if isStreaming { control.cancel.cancel() }
    }

    /// Waits for the thread, which must have finished.
    public func join() {
        thread.withLock { $0.take() }?.join()
    }

    /// Waits for the thread, and not longer than until an instant; false: it has not ended.
    public func join(by instant: MonotonicInstant) -> Bool {
        thread.withLock { thread in
            guard thread?.join(by: instant) != false else { return false }
            thread = nil
            return true
        }
    }
}

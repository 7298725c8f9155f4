public import SondeDomain
public import SondeEngine

/// The thread of one source.
public final class SourceRunner {
    // Handed over to the thread when it starts; nobody else touches them after that.
    private struct Cargo: @unchecked Sendable {
        let useCase: CollectSource
        let instance: any SourceInstance
    }

    /// What the loop uses to stop the thread and to learn of its end.
    public let control: InstanceControl
    /// The source's `id`.
    public let id: String
    private let isStreaming: Bool
    private let cargo: Cargo
    private var thread: PluginThread?

    /// A runner that was not started.
    public init(id: String, useCase: CollectSource, instance: any SourceInstance, control: InstanceControl) {
        self.id = id
        self.control = control
        isStreaming = instance.isStreaming
        cargo = Cargo(useCase: useCase, instance: instance)
    }

    /// Starts the thread: the first collection is made at once.
    public func start() throws(SondeError) {
        let (control, cargo) = (control, cargo)
        thread = try PluginThread(name: id) {
            while control.currentWish == .work {
                control.wait(until: cargo.useCase.step())
            }
            cargo.useCase.finish()
            cargo.instance.close()
            control.markFinished()
        }
    }

    /// Asks for a final collection and the end of the thread.
    public func stop(by instant: MonotonicInstant) {
        control.stop(by: instant)
        if isStreaming { control.cancel.cancel() }
    }

    /// Waits for the thread, which must have finished.
    public func join() {
        thread?.join()
        thread = nil
    }
}

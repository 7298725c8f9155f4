public import SondeDomain
public import SondeEngine
internal import Synchronization

/// The thread of one sink.
public final class SinkRunner: InstanceRunner {
    // Passed to the thread when it starts; used only there after that.
    private struct Cargo: @unchecked Sendable {
        let useCase: DeliverBatches
        let instance: any SinkInstance
    }

    /// What the loop uses to stop the thread and to detect its end.
    public let control: InstanceControl
    /// The sink's `id`.
    public let id: String
    /// The plugin's name.
    public let plugin: String
    /// A sink.
    public let role = InstanceRole.sink
    /// How it is registered.
    public let membership: Membership
    /// The instance's own process.
    public let process: (any InstanceProcess)?
    private let cargo: Cargo
    private let clock: any Clock
    private let leftover: @Sendable (String, Int) -> Void
    private let thread = Mutex<PluginThread?>(nil)

    /// A runner that was not started.
    ///
    /// `leftover` gets how many points were still waiting when the time was over.
    public init(
        id: String,
        plugin: String = "",
        useCase: DeliverBatches,
        instance: any SinkInstance,
        control: InstanceControl,
        clock: any Clock,
        membership: Membership = .none,
        leftover: @escaping @Sendable (String, Int) -> Void
    ) {
        self.id = id
        self.plugin = plugin
        self.membership = membership
        self.control = control
        self.clock = clock
        self.leftover = leftover
        process = instance.process
        cargo = Cargo(useCase: useCase, instance: instance)
    }

    /// Starts the thread, which delivers at once, or continues for another when it is released.
    public func start() throws(SondeError) {
        let (id, control, cargo, clock, leftover) = (id, control, cargo, clock, leftover)
        let membership = membership
        let isHeld = control.currentWish == .hold
        let new = try PluginThread(name: id) {
            if control.waitToBegin() {
                if isHeld {
                    membership.join()
                    cargo.useCase.takeOver()
                }
                let hasEnded = Self.work(control, cargo.useCase, clock)
                let waiting = hasEnded ? 0 : Self.drain(control, cargo.useCase, clock)
                if waiting > 0, control.departure == .withAgent { leftover(id, waiting) }
            }
            cargo.useCase.endOrders()
            cargo.instance.close()
            if control.departure == .forGood { cargo.useCase.giveUpPlace() }
            control.markFinished()
        }
        thread.withLock { $0 = new }
    }

    /// Requests that the thread delivers what waits, until `instant` at the latest, unless another continues; and ends.
    public func stop(_ departure: InstanceControl.Departure = .withAgent, by instant: MonotonicInstant) {
        control.stop(departure, by: instant)
    }

    /// Waits for the thread, which must have finished.
    public func join() {
        thread.withLock { $0.take() }?.join()
    }

    /// Delivers until the thread should stop.
    ///
    /// True: the output is closed permanently.
    private static func work(_ control: InstanceControl, _ useCase: DeliverBatches, _ clock: any Clock) -> Bool {
        while control.currentWish == .work {
            switch useCase.step() {
            case .at(let instant):
                guard instant > clock.monotonicTime else { continue }
                control.timer.arm(at: instant)
                // What arrived before the timer was set woke no thread.
                if !useCase.hasNews { wait(control, useCase) }
            case .whenWoken: if !useCase.hasNews { wait(control, useCase) }
            case .ended: return true
            }
        }
        return false
    }

    /// Waits until the timer fires; a sink that serves does so meanwhile.
    private static func wait(_ control: InstanceControl, _ useCase: DeliverBatches) {
        guard control.currentWish == .work, useCase.serve(until: control.timer.descriptor.raw) else { return }
        control.wait()
    }

    /// Delivers what waits without waiting for full batches; returns how much was left when the time was over.
    private static func drain(_ control: InstanceControl, _ useCase: DeliverBatches, _ clock: any Clock) -> Int {
        guard case .stop(let departure, let end) = control.currentWish, departure != .handOver else { return 0 }
        var lastChanceTaken = false
        while useCase.waiting > 0, clock.monotonicTime < end {
            guard case .at(let next) = useCase.step(draining: true) else { break }
            guard next > clock.monotonicTime else { continue }
            if next >= end {
                guard !lastChanceTaken, useCase.cutBackoffShort() else { break }
                lastChanceTaken = true
                continue
            }
            control.timer.arm(at: next)
            control.timer.wait()
        }
        if useCase.waiting == 0 { useCase.sendLastHealth() }
        return useCase.waiting
    }
}

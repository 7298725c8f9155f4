public import SondeDomain
public import SondeEngine

/// The thread of one sink.
public final class SinkRunner {
    // Handed over to the thread when it starts; nobody else touches them after that.
    private struct Cargo: @unchecked Sendable {
        let useCase: DeliverBatches
        let instance: any SinkInstance
    }

    /// What the loop uses to stop the thread and to learn of its end.
    public let control: InstanceControl
    /// The sink's `id`.
    public let id: String
    private let cargo: Cargo
    private let clock: any Clock
    private let leftover: @Sendable (String, Int) -> Void
    private var thread: PluginThread?

    /// A runner that was not started.
    ///
    /// `leftover` is told how many points were still waiting when the time was over.
    public init(
        id: String,
        useCase: DeliverBatches,
        instance: any SinkInstance,
        control: InstanceControl,
        clock: any Clock,
        leftover: @escaping @Sendable (String, Int) -> Void
    ) {
        self.id = id
        self.control = control
        self.clock = clock
        self.leftover = leftover
        cargo = Cargo(useCase: useCase, instance: instance)
    }

    /// Starts the thread.
    public func start() throws(SondeError) {
        let (id, control, cargo, clock, leftover) = (id, control, cargo, clock, leftover)
        thread = try PluginThread(name: id) {
            let hasEnded = Self.work(control, cargo.useCase, clock)
            if !hasEnded {
                let waiting = Self.drain(control, cargo.useCase, clock)
                if waiting > 0 { leftover(id, waiting) }
            }
            cargo.useCase.endOrders()
            cargo.instance.close()
            control.markFinished()
        }
    }

    /// Asks the thread to deliver what waits, until `instant` at the latest, and to end.
    public func stop(by instant: MonotonicInstant) {
        control.stop(by: instant)
    }

    /// Waits for the thread, which must have finished.
    public func join() {
        thread?.join()
        thread = nil
    }

    /// Delivers until the thread should stop.
    ///
    /// True: the output is gone for good.
    private static func work(_ control: InstanceControl, _ useCase: DeliverBatches, _ clock: any Clock) -> Bool {
        while control.currentWish == .work {
            switch useCase.step() {
            case .at(let instant):
                guard instant > clock.monotonicTime else { continue }
                control.timer.arm(at: instant)
                // An order that came before the timer was set woke nobody.
                if !useCase.hasNewOrders { control.wait() }
            case .whenWoken: if !useCase.hasNewOrders { control.wait() }
            case .ended: return true
            }
        }
        return false
    }

    /// Delivers what waits without waiting for full batches; returns how much was left when the time was over.
    private static func drain(_ control: InstanceControl, _ useCase: DeliverBatches, _ clock: any Clock) -> Int {
        guard case .stop(let end) = control.currentWish else { return 0 }
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
        return useCase.waiting
    }
}

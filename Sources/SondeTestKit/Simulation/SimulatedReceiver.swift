internal import SondeDomain
internal import SondeEngine

/// A sink whose receiver fails as chance has it.
final class SimulatedReceiver: SinkInstance {
    /// What is wrong with the receiver for a while.
    enum Mood: CaseIterable {
        case well, refusing, hanging, failing, throttling, forgetful, narrow, picky, closed
    }

    let preferredContent = SendContent.metrics
    private let world: SimulationWorld
    private let life: CrashSwitch
    private let plan: SimulationPlan.Sink
    private let actor: Int
    private let mood: () -> Mood

    init(
        _ world: SimulationWorld,
        _ life: CrashSwitch,
        _ plan: SimulationPlan.Sink,
        actor: Int,
        mood: @escaping () -> Mood
    ) {
        self.world = world
        self.life = life
        self.plan = plan
        self.actor = actor
        self.mood = mood
    }

    func start() throws(SondeError) {
        if mood() == .refusing, world.isOneIn(2) { throw .simulated(.transient) }
    }

    func close() {}

    func deliver(_ batch: Batch, _ call: CallConditions) throws(SondeError) -> DeliveryOutcome {
        guard !life.isDead else { return .cancelled }
        let id = plan.configuration.id
        world.oracle.offered(batch, to: id)
        do throws(SondeError) {
            let outcome = try answer(batch)
            world.note("\(id) takes \(batch.identity.first)-\(batch.identity.last)")
            return outcome
        } catch {
            world.note("\(id) fails \(batch.identity.first)-\(batch.identity.last): \(error.failureClass.name)")
            throw error
        }
    }

    private func answer(_ batch: Batch) throws(SondeError) -> DeliveryOutcome {
        spend(world.milliseconds(plan.latency))
        switch mood() {
        case .well: break
        case .refusing: throw .simulated(.transient)
        case .hanging:
            spend(.seconds(60))
            throw .simulated(.transient)
        case .failing: if !world.isOneIn(4) { throw .simulated(.transient) }
        case .throttling:
            if world.isOneIn(2) { throw .simulated(.rateLimited, retryAfter: .seconds(Int64(world.draw(0...60)))) }
        case .forgetful:
            if world.isOneIn(2) {
                world.oracle.settled(plan.configuration.id)
                throw .simulated(.transient)
            }
        case .narrow: if batch.entries.count + batch.documents.count > 3 { throw .simulated(.tooLarge) }
        case .picky:
            if world.isOneIn(4) { throw .simulated(.permanentData) }
            if world.isOneIn(4) { return rejectSome(batch) }
        case .closed: throw .simulated(.accessRefused)
        }
        world.oracle.settled(plan.configuration.id)
        // The agent may end while the answer is on its way.
        if world.oracle.plan.crashes, world.isOneIn(200) { life.kill() }
        return .delivered(rejectedPoints: 0, reason: "")
    }

    private func rejectSome(_ batch: Batch) -> DeliveryOutcome {
        let count = min(batch.entries.count, world.draw(1...3))
        world.oracle.settled(plan.configuration.id, dropping: count)
        return .delivered(rejectedPoints: UInt64(count), reason: "simulated")
    }

    private func spend(_ span: Nanoseconds) {
        world.busyUntil[actor] = max(world.now, world.busyUntil[actor]).advanced(by: span)
    }
}

extension SondeError {
    /// A failure that a simulated receiver states.
    fileprivate static func simulated(_ failureClass: FailureClass, retryAfter: Nanoseconds? = nil) -> SondeError {
        .fake(failureClass, retryAfter: retryAfter)
    }
}

/// Dead letters that keep most of what they are given.
final class SimulatedDeadLetters: DeadLetterStore {
    private let world: SimulationWorld
    private let life: CrashSwitch
    private let sink: String

    init(_ world: SimulationWorld, _ life: CrashSwitch, sink: String) {
        self.world = world
        self.life = life
        self.sink = sink
    }

    func keep(_ batch: Batch, because error: SondeError, at time: Timestamp) -> Bool {
        guard !life.isDead, !world.isOneIn(4) else { return false }
        world.note("\(sink) sets \(batch.identity.first)-\(batch.identity.last) aside")
        world.oracle.settled(sink)
        return true
    }
}

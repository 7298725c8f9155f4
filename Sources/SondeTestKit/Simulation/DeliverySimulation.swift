public import SondeDomain
public import SondeEngine

/// Runs engine, log, clocks and receivers in virtual time, with faults that a seed draws, before an independent oracle.
///
/// Everything happens on the calling thread; the same seed brings the same events.
public final class DeliverySimulation {
    /// Opens the log on a file system; the last argument names it if it has to be started from scratch, and the numbers of a log
    /// that takes over from it begin with ``firstInMemory(_:)``.
    public typealias SpoolOpener =
        (SimulationPlan, any FileSystem, any Clock, String) throws(SondeError) -> any SpoolStore

    /// The result of a run.
    public struct Report: Sendable {
        /// The seed.
        public let seed: UInt64
        /// What was broken, nil: nothing.
        public let violation: String?
        /// How much time passed in the simulation.
        public let simulated: Nanoseconds
        /// How many points were taken.
        public let points: Int
        /// How often the agent ended.
        public let crashes: Int
        /// The last events, oldest first.
        public let trace: [String]
        /// A number that two runs share when all their events are the same.
        public let fingerprint: UInt64
    }

    // What drains later than this does not drain.
    private static let drainLimit = Nanoseconds.seconds(3_600)
    private static let stepsPerInstant = 5_000

    let plan: SimulationPlan
    let world: SimulationWorld
    let disk: SimulatedFileSystem
    var agent: SimulatedAgent?
    var life = CrashSwitch()
    var crashes = 0
    var moods: [SimulatedReceiver.Mood]
    var hasFaults = true
    private let open: SpoolOpener
    private var stepsNow = 0
    private var epochs = 0

    /// A simulation of what the seed draws, over the log that `open` opens.
    public init(seed: UInt64, traceLength: Int = 60, open: @escaping SpoolOpener) {
        plan = SimulationPlan(seed: seed)
        world = SimulationWorld(plan, traceLength: traceLength)
        disk = SimulatedFileSystem(seed: seed)
        moods = Array(repeating: .well, count: plan.sinks.count)
        self.open = open
    }

    /// Runs until everything has drained, or something is broken.
    public func run() -> Report {
        world.note(plan.summary)
        start()
        world.wakes[plan.chance] = world.now
        while world.violation == nil, world.elapsed < plan.span { step() }
        endFaults()
        while world.violation == nil, !isDrained { step() }
        if world.violation == nil, agent?.hasTakenOver == true {
            world.note("agent is started again for what lies on its disk")
            mourn()
            while world.violation == nil, !isDrained { step() }
        }
        if world.violation == nil { agent?.close() }
        adoptViolation()
        return Report(
            seed: plan.seed,
            violation: world.violation,
            simulated: world.elapsed,
            points: world.oracle.points.count,
            crashes: crashes,
            trace: world.trace,
            fingerprint: world.fingerprint
        )
    }

    /// The first number of a log in memory that takes over from the log on disk of that name.
    public static func firstInMemory(_ epoch: String) -> UInt64 {
        SimulationOracle.firstInMemory | (UInt64(epoch.suffix(12)) ?? 0) << 24
    }

    private var isDrained: Bool {
        if agent?.isDrained == true { return true }
        if world.elapsed > plan.span + Self.drainLimit { world.fail("not drained: \(agent?.leftovers ?? "no agent")") }
        return false
    }

    private func endFaults() {
        hasFaults = false
        disk.heal()
        isDiskSlow = false
        moods = moods.map { _ in .well }
        for source in plan.sources.indices { world.wakes[source] = nil }
        world.wakes[plan.chance] = agent == nil ? world.now : nil
    }

    /// Lets the next actor do what it has to.
    private func step() {
        guard let (actor, instant) = next() else {
            // No actor has to run: only the limit ends this.
            world.clock.advance(by: .seconds(60))
            return
        }
        if instant > world.now {
            world.clock.advance(by: instant.since(world.now))
            stepsNow = 0
        }
        stepsNow += 1
        if stepsNow > Self.stepsPerInstant { world.fail("spins without the time going on: \(agent?.leftovers ?? "")") }
        world.wakes[actor] = nil
        if actor == plan.chance { meetChance() } else { run(actor) }
        if life.isDead { mourn() } else { agent?.balance() }
        checkBound()
        adoptViolation()
    }

    /// The name of a new log, a UUID as the format requires it.
    private func makeEpoch() -> String {
        epochs += 1
        let digits = String(epochs)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    private func next() -> (Int, MonotonicInstant)? {
        var best: (Int, MonotonicInstant)?
        for (actor, wake) in world.wakes.enumerated() {
            guard let wake else { continue }
            let instant = max(wake, world.busyUntil[actor])
            if best.map({ instant < $0.1 }) ?? true { best = (actor, instant) }
        }
        return best
    }

    private func run(_ actor: Int) {
        let synced = disk.count(of: .syncData)
        agent?.run(actor)
        guard isDiskSlow, disk.count(of: .syncData) > synced else { return }
        world.busyUntil[actor] = max(world.now, world.busyUntil[actor]).advanced(by: world.milliseconds(100...5_000))
    }

    var isDiskSlow = false

    private func checkBound() {
        guard !plan.isInMemory, disk.usedBytes > Int(plan.maxBytes) else { return }
        world.fail("the log takes \(disk.usedBytes) of \(plan.maxBytes) bytes")
    }

    private func adoptViolation() {
        if let violation = world.oracle.violation { world.fail(violation) }
    }

    /// Opens the log and starts the agent; tried again later where the disk does not let it.
    func start() {
        life = CrashSwitch()
        if hasFaults, crashes > 0, world.isOneIn(4) { life.arm(after: world.draw(0...20)) }
        do throws(SondeError) {
            let store = try open(plan, MortalFileSystem(disk, life), world.clock, makeEpoch())
            guard !life.isDead else { return world.note("agent ends while it starts") }
            agent = SimulatedAgent(plan, world, life, store) { [unowned self] in moods[$0] }
            world.note("agent starts")
            if !hasFaults { for source in plan.sources.indices { world.wakes[source] = nil } }
        } catch {
            world.note("agent cannot start: \(error.code)")
            world.oracle.require(hasFaults || life.isDead, "the agent cannot start: \(error.message)")
        }
    }
}

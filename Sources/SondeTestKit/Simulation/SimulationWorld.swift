internal import SondeDomain
internal import SondeEngine

/// What all parts of one simulation share: the time, chance, the trace, and what was found wrong.
// One simulation runs on one thread; ports of the engine ask for Sendable.
final class SimulationWorld: @unchecked Sendable {
    private let traceLength: Int
    let clock = ManualClock()
    let oracle: SimulationOracle
    var random: SeededGenerator
    /// When each actor has to run; nil: when it is woken.
    var wakes: [MonotonicInstant?]
    /// Until when each actor is inside a call.
    var busyUntil: [MonotonicInstant]
    /// What sources read that comes and goes, whether the agent runs or not.
    private(set) var things: [String: Set<Int>] = [:]
    private(set) var violation: String?
    private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
    private var tail: [String] = []
    private var lastNumber: UInt64 = 0
    private let began: MonotonicInstant

    init(_ plan: SimulationPlan, traceLength: Int) {
        self.traceLength = traceLength
        random = SeededGenerator(seed: plan.seed ^ 0x5151_5151)
        oracle = SimulationOracle(plan)
        wakes = Array(repeating: nil, count: plan.actorCount)
        busyUntil = Array(repeating: clock.monotonicTime, count: plan.actorCount)
        began = clock.monotonicTime
    }

    var now: MonotonicInstant { clock.monotonicTime }
    var elapsed: Nanoseconds { now.since(began) }
    /// The last events, oldest first.
    var trace: [String] { tail }

    func note(_ line: @autoclosure () -> String) {
        let text = "\(elapsed.value / 1_000_000) ms  \(line())"
        for byte in text.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        if tail.count >= traceLength { tail.removeFirst() }
        tail.append(text)
    }

    func fail(_ message: String) {
        guard violation == nil else { return }
        note("VIOLATION \(message)")
        violation = message
    }

    static let thingNumbers = 1...4

    /// Some things that a source reads come or go.
    func changeThings(of source: String) {
        for _ in 0..<draw(0...2) { things[source, default: []].formSymmetricDifference([draw(Self.thingNumbers)]) }
    }

    /// A number that no sample of this simulation has had.
    func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<max(1, count), using: &random) == 0 }

    func draw(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    func milliseconds(_ range: ClosedRange<Int>) -> Nanoseconds { .milliseconds(Int64(draw(range))) }
}

/// A timer of one actor.
struct SimulatedWakeup: Wakeup {
    let world: SimulationWorld
    let actor: Int

    func arm(at instant: MonotonicInstant) { world.wakes[actor] = instant }
}

/// The time as the thread of one actor sees it: ahead of the others' while it is inside a call that takes long.
struct ActorClock: Clock {
    let world: SimulationWorld
    let actor: Int

    var monotonicTime: MonotonicInstant { max(world.now, world.busyUntil[actor]) }

    var wallTime: Timestamp {
        let lead = monotonicTime.since(world.now).value
        return Timestamp(nanoseconds: world.clock.wallTime.nanoseconds &+ lead)
    }
}

/// A log without a reader.
struct SilentLog: EventLog {
    func log(_ level: LogLevel, _ message: String, component: String?) {}
    func log(_ level: LogLevel, _ error: SondeError) {}
}

/// Watches nothing.
struct SilentObserver: CallObserver {
    func callBegan(deadline: MonotonicInstant) {}
    func callEnded() {}
}

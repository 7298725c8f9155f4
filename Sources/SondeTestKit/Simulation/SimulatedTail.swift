internal import SondeDomain
internal import SondeEngine

/// A source that reads the lines of a log which grows with time, and commits its place together with what it read.
///
/// The value of a sample is the number of its line.
final class SimulatedTail: SourceInstance {
    let isStreaming = false
    let offersTick = false
    private let plan: SimulationPlan.Source
    private let world: SimulationWorld
    private let life: CrashSwitch
    private let channel: SimulatedChannel
    private var series: UInt64 = 0
    private var place: UInt64 = 0

    init(_ plan: SimulationPlan.Source, _ world: SimulationWorld, _ life: CrashSwitch, _ channel: SimulatedChannel) {
        self.plan = plan
        self.world = world
        self.life = life
        self.channel = channel
    }

    func start() throws(SondeError) {
        series = channel.open(SimulationOracle.lineName(of: plan.id))
        place = channel.loadCheckpoint().flatMap { UInt64(String(decoding: $0, as: UTF8.self)) } ?? 0
        guard !life.isDead else { return }
        world.note("\(plan.id) goes on after line \(place)")
        world.oracle.resumed(plan.id, after: place)
    }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        guard !life.isDead else { return .cancelled }
        let written = UInt64(max(0, world.elapsed.value / 1_000_000_000)) &* UInt64(plan.samples.lowerBound)
        let last = min(written, place + UInt64(world.draw(plan.samples)))
        let samples = last > place ? ((place + 1)...last).map { Sample(series: series, value: .unsigned($0)) } : []
        // Now and then it only repeats its place.
        guard !samples.isEmpty || world.isOneIn(4) else { return .completed }
        world.oracle.begins(plan.id, through: last)
        let result = channel.commit(samples, checkpoint: Array(String(last).utf8))
        guard !life.isDead else { return .cancelled }
        if result == .taken { place = last }
        world.oracle.committed(plan.id, through: place)
        return .completed
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func close() {}
}

internal import SondeDomain
internal import SondeEngine

/// A source whose every sample has its own number.
final class SimulatedSource: SourceInstance {
    let isStreaming = false
    let offersTick = false
    private let plan: SimulationPlan.Source
    private let world: SimulationWorld
    private let life: CrashSwitch
    private let channel: SourceChannel
    private var series: [UInt64] = []
    private var sockets: UInt64 = 0
    private let ledger: LossLedger

    private var lost: UInt64 { ledger.count(component: plan.id, reason: "spool_full") }

    init(
        _ plan: SimulationPlan.Source,
        _ world: SimulationWorld,
        _ life: CrashSwitch,
        _ channel: SourceChannel,
        _ ledger: LossLedger
    ) {
        self.ledger = ledger
        self.plan = plan
        self.world = world
        self.life = life
        self.channel = channel
    }

    func start() throws(SondeError) {
        series = ["value", "noise"].map { name in
            channel.openSeries(SeriesSpecification(name: "\(plan.id).\(name)", kind: .gauge, unit: "1"))
        }
        guard plan.hasSnapshots else { return }
        let name = "sonde.kernel.sockstat.tcp.inuse"
        sockets = channel.openSeries(SeriesSpecification(name: name, kind: .gauge, unit: "{socket}"))
    }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        guard !life.isDead else { return .cancelled }
        let (before, lostBefore) = (world.oracle.appendedInLife, lost)
        var samples = (0..<world.draw(plan.samples)).map { index in
            Sample(series: series[index % 2], value: .unsigned(world.nextNumber()))
        }
        if plan.hasSnapshots { samples.append(Sample(series: sockets, value: .unsigned(world.nextNumber()))) }
        let result = channel.commit(samples, checkpoint: nil, rejections: [])
        guard !life.isDead else { return .cancelled }
        let grown = world.oracle.appendedInLife - before
        // A log without room loses what is appended, reports exactly that, and the source continues.
        let dropped = Int(lost &- lostBefore)
        let isWhole = grown >= samples.count && dropped == 0 || grown == 0 && dropped == samples.count
        world.oracle.require(
            result == .taken ? isWhole : grown == 0,
            "\(plan.id): a commit of \(samples.count) came to \(result), the log has \(grown) more, \(dropped) were lost"
        )
        return .completed
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func close() {}
}

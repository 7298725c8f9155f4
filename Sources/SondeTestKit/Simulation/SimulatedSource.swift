internal import SondeDomain
internal import SondeEngine

/// A source whose every sample has its own number, and which reads things that come and go.
final class SimulatedSource: SourceInstance {
    let isStreaming = false
    let offersTick = false
    private let plan: SimulationPlan.Source
    private let world: SimulationWorld
    private let life: CrashSwitch
    private let channel: SimulatedChannel
    private var series: [UInt64] = []
    private var sockets: UInt64 = 0
    private var things: [Int: UInt64] = [:]
    private let ledger: LossLedger

    private var lost: UInt64 { ledger.count(component: plan.id, reason: "spool_full") }

    init(
        _ plan: SimulationPlan.Source,
        _ world: SimulationWorld,
        _ life: CrashSwitch,
        _ channel: SimulatedChannel,
        _ ledger: LossLedger
    ) {
        self.ledger = ledger
        self.plan = plan
        self.world = world
        self.life = life
        self.channel = channel
    }

    func start() throws(SondeError) {
        series = ["value", "noise"].map { channel.open("\(plan.id).\($0)") }
        lookForThings()
        if plan.hasSnapshots { sockets = channel.open("sonde.kernel.sockstat.tcp.inuse") }
    }

    func collect(_ call: CallConditions) throws(SondeError) -> CallOutcome {
        guard !life.isDead else { return .cancelled }
        let (before, lostBefore) = (world.oracle.appendedInLife, lost)
        var samples = (0..<world.draw(plan.samples)).map { index in
            Sample(series: series[index % 2], value: .unsigned(world.nextNumber()))
        }
        lookForThings()
        let read = things.sorted { $0.key < $1.key }.filter { _ in !world.isOneIn(4) }.map(\.value)
        for handle in read + (plan.hasSnapshots ? [sockets] : []) {
            samples.append(Sample(series: handle, value: .unsigned(world.nextNumber())))
        }
        let result = channel.commit(samples)
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

    /// Closes what is gone and opens some of what is there: the rest is found later.
    private func lookForThings() {
        world.changeThings(of: plan.id)
        let present = world.things[plan.id] ?? []
        for number in SimulationWorld.thingNumbers {
            let name = "\(plan.id).thing\(number)"
            if let handle = things[number], !present.contains(number) || world.isOneIn(10) {
                channel.close(name, handle)
                things[number] = nil
            }
            if things[number] == nil, present.contains(number), world.isOneIn(2) { things[number] = channel.open(name) }
        }
    }

    func run(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func tick(_ call: CallConditions) throws(SondeError) -> CallOutcome { .completed }
    func close() {}
}

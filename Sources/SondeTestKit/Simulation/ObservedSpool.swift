internal import SondeDomain
internal import SondeEngine

/// The log under test, with the oracle as a witness of every call.
// One simulation runs on one thread; a log has to be Sendable.
final class ObservedSpool: SpoolStore, @unchecked Sendable {
    private let spool: any SpoolStore
    private let world: SimulationWorld
    private let life: CrashSwitch
    // What the log has lost and no caller has fetched yet: the accounts have to balance at every moment.
    private var unreported: [Loss] = []

    init(_ spool: any SpoolStore, _ world: SimulationWorld, _ life: CrashSwitch) {
        self.spool = spool
        self.world = world
        self.life = life
        world.oracle.opened(epoch: spool.epoch, at: world.now)
    }

    var epoch: String { spool.epoch }

    var resource: Resource {
        get { spool.resource }
        set { spool.resource = newValue }
    }

    var isSafe: Bool { spool.isSafe }

    var isSettled: Bool { unreported.isEmpty && spool.isSettled }

    var isDurable: Bool { spool.isDurable }

    func epoch(of sink: String) -> String { spool.epoch(of: sink) }

    /// What waits on a disk that failed.
    func stranded(of sink: String) -> Int { (spool as? FailoverSpool)?.stranded(of: sink) ?? 0 }

    var isFull: Bool { spool.isFull }

    var unsafeBytes: Int64 { spool.unsafeBytes }

    func addReader(_ sink: String, _ kind: ReaderKind, wants: SendContent) {
        spool.addReader(sink, kind, wants: wants)
    }

    func removeReader(_ sink: String) { spool.removeReader(sink) }

    func retainReaders(_ sinks: [String]) -> [Loss] { life.isDead ? [] : spool.retainReaders(sinks) }

    func append(
        _ points: [SpooledPoint],
        documents: [Document],
        checkpoint: SpoolCheckpoint?,
        at time: MonotonicInstant
    ) -> (AppendResult, [OverflowLoss]) {
        guard !life.isDead else { return (.refused, []) }
        let next = next ?? 0
        let (result, losses) = spool.append(points, documents: documents, checkpoint: checkpoint, at: time)
        for loss in losses { world.oracle.noteOverflow(of: loss.sink) }
        guard !life.isDead else {
            world.oracle.appended(points, documents, resource, first: next, at: time, .uncertain)
            world.oracle.logged(points, first: next, .uncertain, at: time)
            return (result, losses)
        }
        switch result {
        case .taken(let stretch):
            world.note("append \(stretch.first)-\(stretch.last)")
            world.oracle.appended(points, documents, resource, first: stretch.first, at: time, .owed)
            world.oracle.logged(points, first: stretch.first, .taken, at: time)
            if world.oracle.plan.synchronization == .always, isSafe, !world.oracle.diskHasFailed {
                world.oracle.promised(through: stretch.last)
            }
        case .refused, .failed:
            world.note("append \(result)")
            world.oracle.logged(points, first: next, .refused, at: time)
        }
        let ends = points.count { $0.value.isEnd }
        if ends > 0 { world.note("\(ends) series end") }
        return (result, losses)
    }

    /// The number that the next point gets: appending nothing returns it and changes nothing.
    private var next: UInt64? {
        guard case .taken(let none) = spool.append([], documents: [], checkpoint: nil, at: world.now).0 else {
            return nil
        }
        return none.first
    }

    /// One past the last number that the log still holds, or that the slowest sink is past.
    private var end: UInt64? {
        guard let usage = spool.usage() else { return nil }
        let next = usage.sinks.filter { $0.kind == .durable }.map(\.next).min() ?? 1
        return max(next, (usage.segments.compactMap { $0.stretch?.last }.max() ?? 0) &+ 1)
    }

    func checkpoint(of source: String) -> [UInt8]? { spool.checkpoint(of: source) }

    func takeUnended(of source: String?) -> [Series] { life.isDead ? [] : spool.takeUnended(of: source) }

    func backlog(of sink: String) -> Backlog { spool.backlog(of: sink) }

    func cut(for sink: String, maxCount: Int, maxBytes: Int64) -> Stretch? {
        let stretch = spool.cut(for: sink, maxCount: maxCount, maxBytes: maxBytes)
        guard !life.isDead else { return nil }
        world.note("\(sink) cuts \(stretch.map { "\($0.first)-\($0.last)" } ?? "nothing")")
        if let stretch { world.oracle.cut(stretch, of: sink) }
        // What was appended since may have been made safe along with it.
        if isSafe, world.oracle.plan.synchronization == .interval {
            world.oracle.promised(through: world.oracle.newest)
        }
        return stretch
    }

    func shorten(for sink: String, to count: Int) -> Stretch? {
        let stretch = spool.shorten(for: sink, to: count)
        guard !life.isDead else { return nil }
        world.note("\(sink) shortens to \(stretch.map { "\($0.first)-\($0.last)" } ?? "nothing")")
        if let stretch { world.oracle.cut(stretch, of: sink) }
        return stretch
    }

    func read(_ stretch: Stretch, for sink: String) -> SpoolContents {
        let contents = spool.read(stretch, for: sink)
        if !life.isDead { world.oracle.read(contents.points.count + contents.documents.count, for: sink) }
        return contents
    }

    func acknowledge(_ stretch: Stretch, for sink: String) {
        if !life.isDead {
            world.note("\(sink) passes \(stretch.first)-\(stretch.last)")
            world.oracle.passed(stretch, of: sink)
        }
        spool.acknowledge(stretch, for: sink)
    }

    func sync() {
        spool.sync()
        let isSafe = isSafe
        guard !life.isDead else { return }
        world.note("sync: \(isSafe ? "safe" : "not safe")")
        if isSafe, world.oracle.plan.synchronization == .interval {
            world.oracle.promised(through: world.oracle.newest)
        }
    }

    func takeLosses() -> [Loss] {
        collectLosses()
        defer { unreported = [] }
        return unreported
    }

    /// Asks the log for what it has lost and keeps it for the next caller.
    func collectLosses() {
        // What is found when every call fails because the agent has ended was never found.
        guard !life.isDead else { return }
        for loss in spool.takeLosses() {
            world.note("lost of \(loss.component): \(loss.count.map { "\($0)" } ?? "unknown") \(loss.reason)")
            unreported.append(loss)
        }
    }

    /// How much a sink has lost that no caller has fetched.
    func unreported(of sink: String) -> UInt64 {
        unreported.reduce(0) { $1.component == sink ? $0 &+ ($1.count ?? 0) : $0 }
    }

    func takeFailures() -> [SondeError] {
        let failures = spool.takeFailures()
        if failures.contains(where: { $0.code == .spoolDamaged }), let end { world.oracle.cutShort(at: end) }
        for failure in failures { world.note("spool: \(failure.code) \(failure.message)") }
        return failures
    }
}

extension SimulationOracle {
    /// Overflow has taken points of a sink; what it was offering at the time is counted twice, as delivered and lost.
    func noteOverflow(of sink: String) {
        guard var account = sinks[sink] else { return }
        account.slack += account.lastRead
        sinks[sink] = account
    }
}

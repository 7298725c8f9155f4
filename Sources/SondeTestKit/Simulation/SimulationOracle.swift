internal import SondeDomain
internal import SondeEngine

/// What every accepted point is owed, kept without any code of the engine.
///
/// Not thread-safe.
final class SimulationOracle {
    /// What identifies a point to a receiver: the value is a function of its number.
    struct Content: Hashable {
        var name: String
        var time: Timestamp
        var value: SampleValue
        var isDocument = false
        var resource: Resource

        init(_ point: SpooledPoint, _ resource: Resource) {
            self.resource = resource
            name = point.series.name
            time = point.time
            value = point.value
        }

        init(name: String, _ point: MetricPoint, _ resource: Resource) {
            self.resource = resource
            self.name = name
            time = point.time
            value = point.value
        }

        init(_ document: Document, _ resource: Resource) {
            self.resource = resource
            name = document.schema
            time = document.time
            let hash = document.json.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            value = .unsigned(hash)
            isDocument = true
        }
    }

    enum Standing {
        /// A commit returned it: it is owed.
        case owed
        /// The agent ended while it was taken, or a power cut may have taken it: it may come or not.
        case uncertain
        /// The checkpoint that survived is before it: its line is read again, and it must never come itself.
        case void
    }

    struct Point {
        var content: Content
        var sequence: UInt64
        var takenAt: MonotonicInstant
        var standing: Standing
    }

    struct Numbered: Hashable {
        var epoch: String
        var sequence: UInt64
    }

    struct SinkAccount {
        var isDurable: Bool
        var excludesNoise: Bool
        var wantsEnds: Bool
        var wants: SendContent
        /// Points that the receiver or the dead letters have, by index.
        var settled: Set<Int> = []
        /// Points that were passed over, and have to be in the ledger.
        var missing: Set<Int> = []
        var newestSettled = -1
        /// Points that the receiver took out: where the agent ends before it knows, they come again, after later ones.
        var rejected: Set<Int> = []
        var lastCut: Stretch?
        var offer: Offer?
        /// What the ledgers of earlier runs reported about it.
        var reportedBefore: UInt64 = 0
        var logLostBefore: UInt64 = 0
        /// In this life.
        var waitingAtStart = 0
        var passed = 0
        var lastRead = 0
        var slack = 0
        /// Points and documents in the batches that were passed.
        var offeredPoints: UInt64 = 0
        /// Numbers not passed yet that the sink is not to get.
        var unwantedAhead = 0
        var unwantedPassed: Set<Int> = []
        var checked: (missing: Int, reported: UInt64) = (0, 0)
    }

    struct Offer {
        var identity: BatchIdentity
        var points: [Int]
        var documents: [Int]

        var all: Set<Int> { Set(points).union(documents) }
    }

    /// Whether the log may be in an earlier state: a lost cursor, or a power cut where nothing is ever synced.
    var mayGoBack: Bool { diskHasFailed || powerWasCut && plan.synchronization == .none }

    /// The numbers of a log in memory that takes over from one on disk begin here, so that they are not its.
    static let firstInMemory: UInt64 = 1 << 40

    let plan: SimulationPlan
    var points: [Point] = []
    var sinks: [String: SinkAccount] = [:]
    var tails: [String: TailAccount] = [:]
    var appendedInLife = 0
    var series: [SeriesKey: SeriesAccount] = [:]
    var seriesLife = SeriesLife()
    /// The source whose commit is under way.
    var committing: String?
    /// About how long the definitions of all series are.
    var definitionBytes: Int64 = 0
    var violation: String?
    /// Whether a fault has happened after which a cursor may be lost.
    var diskHasFailed = false
    var powerWasCut = false
    var diskWasSlow = false
    /// Whether memory may have held what the disk had no room for: a killed agent loses that, and reports it.
    var diskWasFull = false
    private(set) var indices: [UInt64: Int] = [:]
    var seen: [Numbered: Content] = [:]
    private var epoch = ""
    private(set) var firstOfLife = 0
    private var lifeBegan = MonotonicInstant(nanoseconds: 0)
    private(set) var safeThrough: UInt64 = 0

    init(_ plan: SimulationPlan) {
        self.plan = plan
        for sink in plan.sinks {
            sinks[sink.configuration.id] = SinkAccount(
                isDurable: sink.kind == .durable, excludesNoise: sink.excludesNoise, wantsEnds: sink.wantsEnds,
                wants: sink.content)
        }
    }

    func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition, violation == nil { violation = message() }
    }

    // MARK: The log

    /// A life of the agent has opened the log.
    func opened(epoch: String, at time: MonotonicInstant) {
        lifeBegan = time
        appendedInLife = 0
        firstOfLife = points.count
        if epoch != self.epoch {
            for sink in sinks.keys { sinks[sink]?.lastCut = nil }
            safeThrough = 0
        }
        self.epoch = epoch
    }

    /// Points and documents were appended under the numbers from `first` on.
    func appended(
        _ newPoints: [SpooledPoint],
        _ newDocuments: [Document],
        _ resource: Resource,
        first: UInt64,
        at time: MonotonicInstant,
        _ standing: Standing
    ) {
        let new = newPoints.map { Content($0, resource) } + newDocuments.map { Content($0, resource) }
        for (offset, content) in new.enumerated() {
            let sequence = first &+ UInt64(offset)
            if let known = seen[Numbered(epoch: epoch, sequence: sequence)], known != content {
                require(false, "number \(sequence) was offered as \(known) and is used again for \(content)")
            }
            if let known = indices[sequence] {
                require(
                    sequence > safeThrough || points[known].standing != .owed,
                    "number \(sequence) was safe and is used again")
            }
            indices[sequence] = points.count
            points.append(Point(content: content, sequence: sequence, takenAt: time, standing: standing))
        }
        for (sink, account) in sinks { sinks[sink]?.unwantedAhead += new.count { !account.reads($0) } }
        if standing == .owed { appendedInLife += new.count }
    }

    /// The agent has ended, and with it the log in memory that had taken over from a disk that failed.
    func memoryEnds() {
        for index in points.indices where points[index].sequence >= Self.firstInMemory {
            if points[index].standing == .owed { points[index].standing = .uncertain }
        }
        for (sink, account) in sinks where account.lastCut.map({ $0.first >= Self.firstInMemory }) ?? false {
            sinks[sink]?.lastCut = nil
        }
    }

    /// The log reports that everything through a number survives a power cut.
    func promised(through sequence: UInt64) {
        guard sequence < Self.firstInMemory else { return }
        if plan.synchronization != .none { safeThrough = max(safeThrough, sequence) }
    }

    /// The log has reported that it was cut, by an unknown amount: its next number shows where.
    func cutShort(at next: UInt64) {
        guard diskHasFailed else { return }
        for index in points.indices where points[index].sequence >= next && indices[points[index].sequence] == index {
            if points[index].standing == .owed { points[index].standing = .uncertain }
        }
    }

    /// The newest number that was appended.
    var newest: UInt64 { points.last?.sequence ?? 0 }

    /// The power was cut: what was not reported as safe may be gone, but only what is young.
    func powerCut(at now: MonotonicInstant, wasRunning: Bool, patience: Nanoseconds) {
        powerWasCut = true
        let mustBeSafe =
            wasRunning && plan.synchronization == .interval && !diskHasFailed && !diskWasSlow && !diskWasFull
        for index in points.indices.reversed() {
            let point = points[index]
            guard point.sequence > safeThrough else {
                if indices[point.sequence] == index { break }
                continue
            }
            guard point.standing == .owed else { continue }
            if mustBeSafe, now.since(max(point.takenAt, lifeBegan)) > patience {
                require(false, "number \(point.sequence) was not safe after \(now.since(point.takenAt).seconds) s")
            }
            points[index].standing = .uncertain
        }
        for source in tails.keys {
            tails[source]?.mayGoBack = true
            // Their numbers may be assigned again in a life that has no place for the source.
            tails[source]?.commits.removeAll { $0.sequence > safeThrough }
        }
        guard plan.synchronization == .none else { return }
        for index in points.indices where points[index].standing == .owed { points[index].standing = .uncertain }
    }
}

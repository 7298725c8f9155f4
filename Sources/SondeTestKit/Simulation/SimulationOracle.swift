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
    }

    enum Standing {
        /// A commit said so: it is owed.
        case owed
        /// The agent ended while it was taken, or a power cut may have taken it: it may come or not.
        case uncertain
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
        /// Points that the receiver or the dead letters have, by index.
        var settled: Set<Int> = []
        /// Points that were passed over, and have to be in the ledger.
        var missing: Set<Int> = []
        var newestSettled = -1
        var lastCut: Stretch?
        var offer: (identity: BatchIdentity, points: [Int])?
        /// What the ledgers of earlier lives told of it.
        var toldBefore: UInt64 = 0
        var logLostBefore: UInt64 = 0
        /// In this life.
        var waitingAtStart = 0
        var passed = 0
        var lastRead = 0
        var slack = 0
    }

    let plan: SimulationPlan
    var points: [Point] = []
    var sinks: [String: SinkAccount] = [:]
    var appendedInLife = 0
    var violation: String?
    /// Whether a fault has happened after which a cursor may be lost.
    var diskHasFailed = false
    var powerWasCut = false
    var diskWasSlow = false
    private var indices: [UInt64: Int] = [:]
    private var seen: [Numbered: Content] = [:]
    private var epoch = ""
    private var lifeBegan = MonotonicInstant(nanoseconds: 0)
    private var safeThrough: UInt64 = 0

    init(_ plan: SimulationPlan) {
        self.plan = plan
        for sink in plan.sinks {
            sinks[sink.configuration.id] = SinkAccount(
                isDurable: sink.kind == .durable, excludesNoise: sink.excludesNoise)
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
        if epoch != self.epoch {
            for sink in sinks.keys { sinks[sink]?.lastCut = nil }
            safeThrough = 0
        }
        self.epoch = epoch
    }

    /// Points were appended under the numbers from `first` on.
    func appended(_ new: [SpooledPoint], first: UInt64, at time: MonotonicInstant, _ standing: Standing) {
        for (offset, point) in new.enumerated() {
            let sequence = first &+ UInt64(offset)
            let content = Content(name: point.series.name, time: point.time, value: point.value)
            if let known = seen[Numbered(epoch: epoch, sequence: sequence)], known != content {
                require(false, "number \(sequence) was offered as \(known) and is used again for \(content)")
            }
            if let known = indices[sequence] {
                require(
                    sequence > safeThrough || points[known].standing == .uncertain,
                    "number \(sequence) was safe and is used again")
            }
            indices[sequence] = points.count
            points.append(Point(content: content, sequence: sequence, takenAt: time, standing: standing))
        }
        if standing == .owed { appendedInLife += new.count }
    }

    /// The log says that everything through a number survives a power cut.
    func promised(through sequence: UInt64) {
        if plan.synchronization != .none { safeThrough = max(safeThrough, sequence) }
    }

    /// The log has told that it was cut short, by an amount that nobody knows: its next number tells where.
    func cutShort(at next: UInt64) {
        guard diskHasFailed else { return }
        for index in points.indices where points[index].sequence >= next && indices[points[index].sequence] == index {
            points[index].standing = .uncertain
        }
    }

    /// The newest number that was appended.
    var newest: UInt64 { points.last?.sequence ?? 0 }

    /// The power was cut: what nobody called safe may be gone, but only what is young.
    func powerCut(at now: MonotonicInstant, wasRunning: Bool, patience: Nanoseconds) {
        powerWasCut = true
        let mustBeSafe = wasRunning && plan.synchronization == .interval && !diskHasFailed && !diskWasSlow
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
        if plan.synchronization == .none { for index in points.indices { points[index].standing = .uncertain } }
    }

    // MARK: Sinks

    func cut(_ stretch: Stretch, of sink: String) {
        guard var account = sinks[sink] else { return }
        if let last = account.lastCut, account.isDurable, !diskHasFailed {
            let isSame = stretch.first == last.first && stretch.last <= last.last
            require(
                isSame || stretch.first == last.last &+ 1,
                "\(sink): \(last.first)-\(last.last) was cut, then \(stretch.first)-\(stretch.last)")
        }
        account.lastCut = stretch
        sinks[sink] = account
        if account.isDurable { promised(through: stretch.last) }
    }

    /// A batch is offered: every entry must be what was appended under one of its numbers, in order.
    func offered(_ batch: Batch, to sink: String) {
        guard var account = sinks[sink] else { return }
        var sequence = batch.identity.first
        var found: [Int] = []
        for entry in batch.entries {
            let series = batch.series[entry.seriesIndex]
            let content = Content(name: series.name, time: entry.point.time, value: entry.point.value)
            while sequence <= batch.identity.last, contents(of: sequence) != content { sequence &+= 1 }
            guard sequence <= batch.identity.last, let index = indices[sequence] else {
                return require(false, "\(sink): \(batch.identity.text) holds \(content), which is not of it")
            }
            if account.isDurable { see(content, sequence, batch.identity.epoch) }
            found.append(index)
            sequence &+= 1
        }
        // What one read could not have and the next can is told as lost, and delivered all the same.
        if account.isDurable, !diskHasFailed, let last = account.offer, last.identity == batch.identity {
            require(Set(found).isSubset(of: last.points), "\(sink): \(batch.identity.text) came back with more in it")
        }
        require(
            !account.excludesNoise || !batch.series.contains { $0.name.hasSuffix(".noise") },
            "\(sink) got what it is configured not to get")
        account.offer = (batch.identity, found)
        sinks[sink] = account
    }

    private func contents(of sequence: UInt64) -> Content? { indices[sequence].map { points[$0].content } }

    private func see(_ content: Content, _ sequence: UInt64, _ epoch: String) {
        let key = Numbered(epoch: epoch, sequence: sequence)
        if let known = seen[key] { require(known == content, "number \(sequence) had other contents before") }
        seen[key] = content
    }

    /// The receiver, or the dead letters, have the first `count` points of what was offered last.
    func settled(_ sink: String, dropping count: Int = 0) {
        guard var account = sinks[sink], let offer = account.offer else { return }
        for index in offer.points.dropLast(count) where account.settled.insert(index).inserted {
            account.missing.remove(index)
            require(
                index > account.newestSettled || !account.isDurable || diskHasFailed,
                "\(sink): number \(points[index].sequence) was delivered for the first time after later ones")
            account.newestSettled = max(account.newestSettled, index)
        }
        sinks[sink] = account
    }

    /// A stretch was read for a batch.
    func read(_ count: Int, for sink: String) { sinks[sink]?.lastRead = count }

    /// A sink has passed a stretch: what it has not got of it must be in the ledger.
    func passed(_ stretch: Stretch, of sink: String) {
        guard var account = sinks[sink] else { return }
        account.passed += account.lastRead
        account.lastRead = 0
        for sequence in stretch.first...max(stretch.first, stretch.last) {
            guard let index = indices[sequence], isOwed(index, to: account) else { continue }
            account.missing.insert(index)
        }
        sinks[sink] = account
    }

    func isOwed(_ index: Int, to account: SinkAccount) -> Bool {
        guard points[index].standing == .owed, !account.settled.contains(index) else { return false }
        return !(account.excludesNoise && points[index].content.name.hasSuffix(".noise"))
    }
}

import SondeDomain
import SondeEngine
import SondeTestKit
import Testing

@testable import SondeGateways

/// Random sequences of appends, cuts, acknowledgements, faults, kills and power cuts, held against what must come of
/// them.
@Suite struct DiskSpoolModelTests {
    @Test(arguments: 0..<40)
    func anySequenceKeepsThePromises(batch: Int) throws {
        for seed in 0..<10 {
            var model = try SpoolModel(seed: UInt64(batch * 10 + seed + 1))
            try model.run(steps: 120)
        }
    }
}

/// The model: what was appended, what was seen, and what may have been lost.
private struct SpoolModel {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    struct Sink {
        /// The stretch under way as it was returned, with the numbers it held.
        var offered: (stretch: Stretch, values: [UInt64])?
        /// The number after the last that was acknowledged.
        var next: UInt64?
        var acknowledged: Stretch?
        var delivered: Set<UInt64> = []
        var lost: UInt64 = 0
        /// Whether a loss of unknown size was reported.
        var lostUnknown = false
    }

    private let seed: UInt64
    private var random: SeededGenerator
    private var fixture: SpoolFixture
    private var spool: DiskSpool?
    private var sinks = ["a": Sink(), "b": Sink()]
    /// What each number of the log was seen to hold; by epoch.
    private var seen: [String: [UInt64: UInt64]] = [:]
    private var nextValue: UInt64 = 1
    private var taken: Set<UInt64> = []
    /// Taken, and certain to survive a power cut.
    private var safe: Set<UInt64> = []
    /// Taken before a power cut, and not known to be safe then.
    private var inDoubt: Set<UInt64> = []
    private var powerWasCut = false

    init(seed: UInt64) throws {
        self.seed = seed
        random = SeededGenerator(seed: seed)
        fixture = SpoolFixture(
            seed: seed,
            maxBytes: Int64.random(in: 24_000...96_000, using: &random),
            segmentBytes: Int64.random(in: 600...4_000, using: &random)
        )
        fixture.settings.overflow = seed.isMultiple(of: 3) ? .dropNewest : .dropOldest
        fixture.settings.synchronization = seed.isMultiple(of: 5) ? .always : .interval
        try open()
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<45: append()
            case 45..<60: try offer()
            case 60..<75: try acknowledge()
            case 75..<80: try shorten()
            case 80..<88: sync()
            case 88..<92: try restart(cuttingPower: false)
            case 92..<96: try restart(cuttingPower: true)
            default: disturb()
            }
            try require(fixture.disk.usedBytes <= Int(fixture.settings.maxBytes), "the bound was exceeded")
        }
        fixture.disk.heal()
        try restart(cuttingPower: false)
        try settle()
    }

    // MARK: Steps

    private mutating func append() {
        let count = UInt64.random(in: 1...30, using: &random)
        let values = nextValue...(nextValue + count - 1)
        nextValue += count
        let (result, losses) =
            spool?.append(values.map { .numbered($0) }, documents: [], at: SpoolFixture.instant) ?? (.refused, [])
        for loss in losses { sinks[loss.sink]?.lost += loss.count }
        if case .taken = result { taken.formUnion(values) }
    }

    private mutating func offer() throws {
        let sink = randomSink()
        let count = Int.random(in: 1...80, using: &random)
        guard let spool, let stretch = spool.cut(for: sink, maxCount: count, maxBytes: .max) else { return }
        try check(stretch, spool.numbers(in: stretch, for: sink), of: sink)
    }

    private mutating func check(_ stretch: Stretch, _ values: [UInt64], of sink: String) throws {
        let epoch = spool?.epoch ?? ""
        if let offered = sinks[sink]?.offered {
            try require(offered.stretch == stretch, "\(sink): \(offered.stretch) became \(stretch)")
            // What overflow or damage has taken may be missing; nothing else may differ.
            try require(Set(values).isSubset(of: offered.values), "\(sink): other contents")
        }
        if let next = sinks[sink]?.next {
            // An acknowledgement that the disk did not take is forgotten by a crash: then the same stretch comes again.
            let isAgain = diskFailed && sinks[sink]?.acknowledged == stretch
            try require(isAgain || stretch.first == next, "\(sink): \(stretch) does not follow \(next)")
        }
        try require(values == values.sorted(), "\(sink): out of order")
        try require(
            values.allSatisfy { taken.contains($0) || inDoubt.contains($0) }, "\(sink): something that was never taken")
        try note(values, in: stretch, epoch)
        sinks[sink]?.offered = (stretch, values)
    }

    /// A number that was ever seen with a value never comes with another.
    private mutating func note(_ values: [UInt64], in stretch: Stretch, _ epoch: String) throws {
        guard values.count == stretch.count else { return }
        for (number, value) in zip(stretch.first...stretch.last, values) {
            let before = seen[epoch]?[number]
            try require(before == nil || before == value, "number \(number) was \(before ?? 0), is \(value)")
            seen[epoch, default: [:]][number] = value
        }
        safe.formUnion(values)
        taken.formUnion(values)
    }

    private mutating func acknowledge() throws {
        let sink = randomSink()
        guard sinks[sink]?.offered != nil else { return try offer() }
        acknowledge(sink)
    }

    private mutating func shorten() throws {
        let sink = randomSink()
        guard sinks[sink]?.offered != nil, let spool else { return }
        guard let stretch = spool.shorten(for: sink, to: Int.random(in: 1...20, using: &random)) else { return }
        let values = spool.numbers(in: stretch, for: sink)
        try require(values.count <= stretch.count, "\(sink): too much for \(stretch)")
        sinks[sink]?.offered = (stretch, values)
    }

    private mutating func sync() {
        guard let spool else { return }
        spool.sync()
        takeLosses()
        if spool.takeFailures().isEmpty, !isDisturbed { safe = taken }
    }

    private var isDisturbed = false
    private var diskFailed = false

    private mutating func disturb() {
        isDisturbed = true
        diskFailed = true
        switch Int.random(in: 0..<6, using: &random) {
        case 0: fixture.disk.fail(.syncData, with: FileSystemError.inputOutput, skipping: 1)
        case 1: fixture.disk.fail(.write, with: FileSystemError.inputOutput, skipping: 2)
        case 2: fixture.disk.fail(.create, with: FileSystemError.noSpace)
        case 3: fixture.disk.quota = fixture.disk.usedBytes + Int.random(in: 0...2_000, using: &random)
        case 4: fixture.disk.shortWriteOneIn = 3
        default:
            fixture.disk.heal()
            isDisturbed = false
        }
    }

    private mutating func restart(cuttingPower: Bool) throws {
        fixture.disk.heal()
        isDisturbed = false
        takeLosses()
        spool = nil
        if cuttingPower {
            powerWasCut = true
            let kept = SimulatedFileSystem.PowerCut.allCases.randomElement(using: &random) ?? .nothing
            fixture.disk.cutPower(keeping: kept)
            // What was not synced may be lost.
            inDoubt.formUnion(taken.subtracting(safe))
            taken = safe
        } else {
            fixture.disk.killProcess()
        }
        try open()
        for sink in ["a", "b"] { try resume(sink) }
    }

    /// After a restart the stretch under way is offered again, the same.
    private mutating func resume(_ sink: String) throws {
        guard let spool, let offered = sinks[sink]?.offered else { return }
        guard let stretch = spool.cut(for: sink, maxCount: 1, maxBytes: .max) else {
            throw Broken(description: "seed \(seed): \(sink) is not offered \(offered.stretch) again")
        }
        try check(stretch, spool.numbers(in: stretch, for: sink), of: sink)
    }

    private mutating func open() throws {
        let spool = try fixture.open(epoch: 1)
        for sink in ["a", "b"] { spool.addReader(sink, .durable, wants: .metrics) }
        self.spool = spool
        takeLosses()
    }

    private mutating func takeLosses() {
        for loss in spool?.takeLosses() ?? [] {
            guard let count = loss.count else {
                sinks[loss.component]?.lostUnknown = true
                continue
            }
            sinks[loss.component]?.lost += count
        }
    }

    /// Everything drains, and every point that was taken was delivered or reported as lost.
    private mutating func settle() throws {
        for sink in ["a", "b"] {
            while let spool, let stretch = spool.cut(for: sink, maxCount: 50, maxBytes: .max) {
                let values = spool.numbers(in: stretch, for: sink)
                try check(stretch, values, of: sink)
                acknowledge(sink)
            }
            takeLosses()
            try account(sink)
        }
    }

    private mutating func acknowledge(_ sink: String) {
        guard let offered = sinks[sink]?.offered else { return }
        spool?.acknowledge(offered.stretch, for: sink)
        sinks[sink]?.delivered.formUnion(offered.values)
        sinks[sink]?.next = offered.stretch.last + 1
        sinks[sink]?.acknowledged = offered.stretch
        sinks[sink]?.offered = nil
    }

    private func account(_ sink: String) throws {
        guard let state = sinks[sink] else { return }
        let missing = taken.subtracting(state.delivered)
        if powerWasCut {
            let owed = safe.subtracting(state.delivered)
            try require(
                UInt64(owed.count) <= state.lost || state.lostUnknown, "\(sink): \(owed.count) owed, \(state.lost) lost"
            )
        } else {
            try require(
                UInt64(missing.count) <= state.lost, "\(sink): \(missing.count) missing, \(state.lost) told as lost")
        }
    }

    private mutating func randomSink() -> String { Bool.random(using: &random) ? "a" : "b" }

    private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw Broken(description: "seed \(seed): \(message())") }
    }
}

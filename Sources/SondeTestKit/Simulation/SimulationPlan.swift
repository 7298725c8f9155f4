internal import SondeDomain
public import SondeEngine

/// What a seed draws before a simulation begins: the agent's configuration and which faults it will meet.
public struct SimulationPlan: Sendable {
    /// When appended points are made safe.
    public typealias Synchronization = AgentSettings.Synchronization

    struct Source: Sendable {
        var id: String
        var interval: Nanoseconds
        var samples: ClosedRange<Int>
        /// Whether it reads lines of a log and commits its place in it.
        var isTail = false
        /// Whether it has series from which snapshots are made.
        var hasSnapshots = false
    }

    struct Sink: Sendable {
        var configuration: SinkConfiguration
        var kind: ReaderKind
        var latency: ClosedRange<Int>
        var excludesNoise: Bool
        var wantsEnds: Bool
        var hasDeadLetters: Bool
        var content = SendContent.metrics
    }

    /// The seed.
    public let seed: UInt64
    /// The bound of the log in bytes.
    public let maxBytes: Int64
    /// About how large a segment becomes.
    public let segmentBytes: Int64
    /// When the log is made safe.
    public let synchronization: Synchronization
    /// What is dropped at the bound.
    public let overflow: AgentSettings.OverflowPolicy
    /// Whether the log is in memory.
    public let isInMemory: Bool
    let sources: [Source]
    let sinks: [Sink]
    let span: Nanoseconds
    let crashes: Bool
    let cutsPower: Bool
    let diskFails: Bool
    let diskFills: Bool
    let diskIsSlow: Bool

    /// What this seed draws.
    public init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        isInMemory = Int.random(in: 0..<8, using: &random) == 0
        maxBytes = Bool.random(using: &random) ? 4 << 20 : Int64.random(in: 40_000...120_000, using: &random)
        segmentBytes = Int64.random(in: 2_000...16_000, using: &random)
        synchronization = [.interval, .interval, .interval, .always, .none].randomElement(using: &random) ?? .interval
        overflow = Bool.random(using: &random) ? .dropOldest : .dropNewest
        let isLong = Int.random(in: 0..<20, using: &random) == 0
        span = .seconds(Int64.random(in: isLong ? 160...600 : 40...160, using: &random))
        crashes = !isInMemory && Int.random(in: 0..<4, using: &random) > 0
        cutsPower = crashes && Bool.random(using: &random)
        diskFails = !isInMemory && Int.random(in: 0..<3, using: &random) == 0
        diskFills = !isInMemory && Int.random(in: 0..<3, using: &random) == 0
        diskIsSlow = !isInMemory && Int.random(in: 0..<3, using: &random) == 0
        var sources = (0..<Int.random(in: 1...3, using: &random)).map { Self.source($0, &random) }
        var sinks = (0..<Int.random(in: 2...3, using: &random)).map { Self.sink($0, &random) }
        if Bool.random(using: &random) { sources[sources.count - 1].isTail = true }
        if Bool.random(using: &random) {
            sources[0].hasSnapshots = !sources[0].isTail
            let contents: [SendContent] = [.metrics, .snapshots, [.metrics, .snapshots]]
            for index in sinks.indices.dropFirst() {
                sinks[index].content = contents.randomElement(using: &random) ?? .metrics
            }
        }
        self.sources = sources
        self.sinks = sinks
    }

    /// The configuration and the faults in one line.
    var summary: String {
        let faults = [
            crashes ? "crashes" : "", cutsPower ? "power cuts" : "", diskFails ? "disk errors" : "",
            diskFills ? "full disk" : "", diskIsSlow ? "slow disk" : "",
        ]
        let log = isInMemory ? "memory" : "disk"
        return "\(log) \(maxBytes) bytes in \(segmentBytes), sync \(synchronization.rawValue), \(overflow.rawValue), "
            + faults.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Sources, sinks, the keeper of the log, and chance itself.
    var actorCount: Int { sources.count + sinks.count + 2 }
    var keeper: Int { sources.count + sinks.count }
    var chance: Int { keeper + 1 }

    private static func source(_ index: Int, _ random: inout SeededGenerator) -> Source {
        let least = Int.random(in: 1...10, using: &random)
        return Source(
            id: "source\(index)",
            interval: .seconds(Int64.random(in: 1...10, using: &random)),
            samples: least...(least + Int.random(in: 0...20, using: &random))
        )
    }

    private static func sink(_ index: Int, _ random: inout SeededGenerator) -> Sink {
        var configuration = SinkConfiguration(id: "sink\(index)", plugin: "simulated")
        configuration.batch.samples = Int.random(in: 5...200, using: &random)
        configuration.retry.cap = .seconds(Int64.random(in: 5...60, using: &random))
        let excludesNoise = index == 1 && Bool.random(using: &random)
        if excludesNoise { configuration.metrics.exclude = ["*.noise"] }
        return Sink(
            configuration: configuration,
            kind: index == 2 && Bool.random(using: &random) ? .live : .durable,
            latency: index == 0 ? 1...20 : 5...800,
            excludesNoise: excludesNoise,
            wantsEnds: index == 0 || Bool.random(using: &random),
            hasDeadLetters: Int.random(in: 0..<4, using: &random) > 0
        )
    }
}

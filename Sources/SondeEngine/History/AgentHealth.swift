public import SondeDomain

/// Makes readings of what the agent itself costs and holds up.
public struct AgentHealth: Sendable {
    /// What is known of the agent at one instant; nil: it is not known.
    public struct Facts: Hashable, Sendable {
        /// Memory that it has, in bytes.
        public var memory: Double?
        /// Processor time that it has used so far, in seconds.
        public var processorSeconds: Double?
        /// Samples that sources have handed in so far.
        public var samples: UInt64
        /// Points that were lost so far.
        public var losses: UInt64
        /// Points that wait, by sink.
        public var waiting: [String: UInt64]

        /// What is known.
        public init(
            memory: Double?,
            processorSeconds: Double?,
            samples: UInt64,
            losses: UInt64,
            waiting: [String: UInt64]
        ) {
            self.memory = memory
            self.processorSeconds = processorSeconds
            self.samples = samples
            self.losses = losses
            self.waiting = waiting
        }
    }

    /// The source that these series are of.
    public static let source = "agent"

    private var previous: (facts: Facts, at: MonotonicInstant)?

    /// Nothing is known yet.
    public init() {}

    /// The readings of an instant; rates are those since the instant before.
    public mutating func readings(_ facts: Facts, time: Timestamp, at now: MonotonicInstant) -> [HistoryCollector
        .Reading]
    {
        let held = previous.map { now.since($0.at) } ?? .zero
        var values: [(HistoryMetric, String?, Double?)] = [(.agentMemory, nil, facts.memory)]
        if let before = previous?.facts, held > .zero {
            let rate = { (from: Double, to: Double) -> Double? in to >= from ? (to - from) / held.seconds : nil }
            if let from = before.processorSeconds, let to = facts.processorSeconds {
                values.append((.agentProcessor, nil, rate(from, to)))
            }
            values.append((.agentSamples, nil, rate(Double(before.samples), Double(facts.samples))))
            values.append((.agentLosses, nil, rate(Double(before.losses), Double(facts.losses))))
        }
        for (sink, count) in facts.waiting.sorted(by: { $0.key < $1.key }) {
            values.append((.agentWaiting, sink, Double(count)))
        }
        previous = (facts, now)
        return values.compactMap { metric, member, value in
            value.map {
                HistoryCollector.Reading(
                    series: HistorySeries(metric, member: member, source: Self.source), rank: .standard,
                    observation: HistoryObservation(.held($0, peak: nil), at: time, held: held))
            }
        }
    }
}

extension AgentHealth.Facts {
    /// What an agent's status tells of it.
    public init(_ status: AgentStatus, memory: Double?, processorSeconds: Double?) {
        var waiting: [String: UInt64] = [:]
        for instance in status.instances {
            guard let backlog = instance.backlog else { continue }
            waiting[instance.status.id] = UInt64(clamping: backlog.count)
        }
        self.init(
            memory: memory,
            processorSeconds: processorSeconds,
            samples: status.instances.reduce(0) { $0 &+ $1.status.samples },
            losses: status.losses.reduce(0) { $0 &+ ($1.count ?? 0) },
            waiting: waiting
        )
    }
}

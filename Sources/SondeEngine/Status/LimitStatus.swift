public import SondeDomain

/// What the agent uses of its limits, and what it does without to stay within them.
public struct LimitStatus: Hashable, Sendable {
    /// The limits.
    public var limits: ResourceLimits
    /// The level of saving; 0: nothing is saved.
    public var level: Int
    /// The levels that make a difference to what is configured.
    public var ladder: [Int]
    /// Since when the level is in force.
    public var since: MonotonicInstant
    /// The share of one processor used over the last ten seconds; nil: not known.
    public var processors: Double?
    /// The memory used in bytes; nil: not known.
    public var memory: UInt64?

    /// The steps that are taken.
    public var steps: [SavingStep] {
        SavingStep.allCases.filter { $0.level <= level && ladder.contains($0.level) }
    }

    /// The highest level that makes a difference.
    public var highestLevel: Int { ladder.last ?? 0 }

    /// `cpu 3.1% of 2%, memory 40 of 64 MiB`.
    public var usage: String {
        var parts: [String] = []
        if let limit = limits.processors {
            let used = processors.map(PercentText.text(of:)) ?? "unknown"
            parts.append("cpu \(used) of \(PercentText.text(of: limit))")
        }
        if let limit = limits.memory {
            let used = memory.map { "\($0 >> 20)" } ?? "unknown"
            parts.append("memory \(used) of \(limit >> 20) MiB")
        }
        return parts.joined(separator: ", ")
    }
}

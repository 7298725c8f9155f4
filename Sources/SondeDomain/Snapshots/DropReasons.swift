/// Why packets were dropped within the window, beside what others count as dropped.
///
/// Bounded: at most ``reasonBound`` reasons of one source.
public struct DropReasons: Sendable {
    /// How many reasons are kept at most.
    public static let reasonBound = 64
    /// How many of them a snapshot has.
    static let shown = 10

    /// Two sources do not read at the same instant.
    private static let slack = 1.25

    private let window: Nanoseconds
    private var source: String?
    private var first: MonotonicInstant?
    private var last: MonotonicInstant?
    private var reasons: [String: WindowStatistics] = [:]
    private var pairs: [DropCounter: PairedCounts] = [:]

    /// Nothing was reported yet.
    public init(window: Nanoseconds) {
        self.window = window
    }

    /// Takes what a commit of a source reported about the time since `last`, when it reported something before.
    public mutating func take(
        _ facts: [SourceWindow.FactReading],
        of source: String,
        since last: MonotonicInstant?,
        at now: MonotonicInstant
    ) {
        guard let begin = last ?? Self.begin(facts, now) else { return }
        if facts.contains(where: \.fact.isOfReasons) {
            takeReasons(facts, source, begin, now)
        } else if self.source != nil, facts.allSatisfy(\.fact.isOfOwnNetwork) {
            takeCounters(facts, begin, now)
        }
    }

    /// Forgets what a source has reported that is gone.
    mutating public func forget(_ source: String) {
        guard self.source == source else { return }
        self = DropReasons(window: window)
    }

    private mutating func takeReasons(
        _ facts: [SourceWindow.FactReading],
        _ source: String,
        _ begin: MonotonicInstant,
        _ now: MonotonicInstant
    ) {
        guard self.source == nil || self.source == source else { return }
        self.source = source
        first = first ?? begin
        last = now
        var amounts: [String: Double] = [:]
        for reading in facts {
            guard case .dropReason(let reason) = reading.fact else { continue }
            amounts[reason, default: 0] += reading.amount
        }
        let held = now.since(begin)
        guard held > .zero else { return }
        for (reason, amount) in amounts where reasons[reason] != nil || reasons.count < Self.reasonBound {
            reasons[reason, default: WindowStatistics(window: window)].add(amount / held.seconds, held: held, at: now)
        }
        for counter in DropCounter.allCases {
            let amount = counter.reasons.reduce(0) { $0 + (amounts[$1] ?? 0) }
            add(PairedCounts.Count(from: begin, to: now, amount: amount), of: .seen, counter)
        }
    }

    private mutating func takeCounters(
        _ facts: [SourceWindow.FactReading],
        _ begin: MonotonicInstant,
        _ now: MonotonicInstant
    ) {
        var amounts: [DropCounter: Double] = [:]
        for reading in facts {
            guard case .dropCounter(let counter) = reading.fact else { continue }
            amounts[counter, default: 0] += reading.amount
        }
        for (counter, amount) in amounts {
            add(PairedCounts.Count(from: begin, to: now, amount: amount), of: .reported, counter)
        }
    }

    private mutating func add(_ count: PairedCounts.Count, of side: PairedCounts.Side, _ counter: DropCounter) {
        pairs[counter, default: PairedCounts(window: window)].add(count, of: side)
    }

    /// What a snapshot says; nil: no source reports reasons.
    func summary(at now: MonotonicInstant) -> Snapshot.Drops? {
        guard let source, let first, let last else { return nil }
        let totals = reasons.compactMap { reason, counts in counts.total(at: now).map { (reason, $0.rounded()) } }
            .filter { $0.1 > 0 }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        var drops = Snapshot.Drops(
            source: source, age: max(.zero, now.since(last)), covered: min(window, now.since(first)),
            packets: totals.reduce(0) { $0 + $1.1 },
            reasons: totals.prefix(Self.shown).map { Snapshot.Drops.Reason(name: $0.0, count: $0.1) })
        var (counted, explained) = (0.0, 0.0)
        for counter in DropCounter.allCases {
            guard let pair = pairs[counter]?.totals(at: now), pair.reported >= 0.5 else { continue }
            counted += pair.reported
            explained += min(pair.seen, pair.reported)
            // Reasons are the whole host's: more of one than is counted here was dropped in another network namespace.
            let most = pair.reported * Self.slack + 10
            let top = totals.first { counter.reasons.contains($0.0) && $0.1 <= most }
            drops.beside.append(
                Snapshot.Drops.Beside(
                    counter: counter, count: pair.reported.rounded(),
                    reason: top.map { Snapshot.Drops.Reason(name: $0.0, count: $0.1) }))
        }
        if counted > 0 { drops.coverage = Snapshot.Coverage(ratio: explained / counted) { .unexplained } }
        return drops
    }

    private static func begin(_ facts: [SourceWindow.FactReading], _ now: MonotonicInstant) -> MonotonicInstant? {
        guard let held = facts.map(\.held).max(), held > .zero else { return nil }
        return now.advanced(by: Nanoseconds(0 &- held.value))
    }
}

extension SnapshotFact {
    /// Whether only a source that knows reasons of drops reports it.
    fileprivate var isOfReasons: Bool {
        switch self {
        case .dropReason, .dropSource: true
        default: false
        }
    }

    /// Whether it does not say that its source is about another network than the agent's own.
    fileprivate var isOfOwnNetwork: Bool {
        guard case .namespace(let namespace) = self else { return true }
        return namespace.isOwn
    }
}

/// What the wire shows of the queries in logs: for each log, only what was sent to its resolver.
public struct NameServiceCoverage: Sendable {
    private struct Key: Hashable {
        let wire: String
        let log: String
    }

    // A resolver listens at few addresses; more of them mean something else.
    private static let resolverBound = 64

    private let window: Nanoseconds
    private var wires: Set<String> = []
    private var resolvers: [String: Set<NameServer>] = [:]
    private var pairs: [Key: PairedCounts] = [:]

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
        switch facts.lazy.compactMap(\.fact.view).first {
        case .wire: takeWire(facts, source, last, now)
        case .log: takeLog(facts, source, last, now)
        case .kernel, nil: return
        }
    }

    /// What the wire of one source shows of the log of another; nil: neither of both is known.
    func coverage(wire: String, log: String, hasDrops: Bool, at now: MonotonicInstant) -> Snapshot.Coverage? {
        guard let servers = resolvers[log], wires.contains(wire) else { return nil }
        guard !servers.isEmpty else { return Snapshot.Coverage(ratio: nil, cause: .resolverUnknown) }
        guard let totals = pairs[Key(wire: wire, log: log)]?.totals(at: now) else { return nil }
        guard totals.reported > 0 else {
            return totals.seen > 0 ? Snapshot.Coverage(ratio: nil, cause: .logLevel) : nil
        }
        let ratio = totals.seen / totals.reported
        return Snapshot.Coverage(ratio: ratio) {
            if ratio > 1 { return .logLevel }
            if hasDrops { return .captureDrops }
            let explained = (totals.seen + totals.hidden) / totals.reported
            return abs(explained - 1) <= Snapshot.Coverage.tolerance ? .encryptedTransport : .otherPath
        }
    }

    private mutating func takeWire(
        _ facts: [SourceWindow.FactReading],
        _ source: String,
        _ last: MonotonicInstant?,
        _ now: MonotonicInstant
    ) {
        wires.insert(source)
        guard let begin = Self.begin(facts, last, now) else { return }
        for (log, servers) in resolvers where !servers.isEmpty {
            let amount = facts.reduce(0) { sum, reading in
                guard case .serverQueries(let server) = reading.fact, servers.contains(where: { $0.includes(server) })
                else { return sum }
                return sum + reading.amount
            }
            pairs[Key(wire: source, log: log), default: PairedCounts(window: window)].add(
                PairedCounts.Count(from: begin, to: now, amount: amount), of: .seen)
        }
    }

    private mutating func takeLog(
        _ facts: [SourceWindow.FactReading],
        _ source: String,
        _ last: MonotonicInstant?,
        _ now: MonotonicInstant
    ) {
        let reported = facts.lazy.compactMap { reading -> NameServer? in
            guard case .resolver(let server) = reading.fact else { return nil }
            return server
        }
        resolvers[source] = Set(reported.prefix(Self.resolverBound))
        guard let begin = Self.begin(facts, last, now) else { return }
        var count = PairedCounts.Count(from: begin, to: now, amount: 0)
        for reading in facts {
            guard case .logQueries(let isEncrypted) = reading.fact else { continue }
            count.amount += reading.amount
            if isEncrypted { count.hidden += reading.amount }
        }
        for wire in wires {
            pairs[Key(wire: wire, log: source), default: PairedCounts(window: window)].add(count, of: .reported)
        }
    }

    /// The begin of the time that a commit covers: the commit before, or what its counts give.
    private static func begin(
        _ facts: [SourceWindow.FactReading],
        _ last: MonotonicInstant?,
        _ now: MonotonicInstant
    ) -> MonotonicInstant? {
        if let last { return last }
        guard let held = facts.map(\.held).max(), held > .zero else { return nil }
        return now.advanced(by: Nanoseconds(0 &- held.value))
    }
}

extension SnapshotFact {
    /// How a source that reports this sees DNS; nil: it does not report DNS.
    var view: PluginDescriptor.View? {
        switch self {
        case .dns(let view): view
        case .serverQueries: .wire
        case .logQueries, .resolver: .log
        default: nil
        }
    }
}

extension SourceWindow.FactReading {
    /// Of a counter, what it has grown by.
    var amount: Double {
        let amount = (value ?? 0) * held.seconds
        return amount.isFinite ? amount : 0
    }
}

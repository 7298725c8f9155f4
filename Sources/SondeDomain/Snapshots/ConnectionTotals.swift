/// How many TCP connections there are: all sockets but those that listen or are in time-wait.
///
/// A walk over the sockets reports it. Between walks it is what is in use less what listened at the last one.
struct ConnectionTotals: Sendable {
    /// The state under which a source's total is kept beside the states that the source reports.
    static let member = "connected"
    // Not states of a walk: what sockstat counts across them.
    private static let across: Set = ["in_use", "orphaned", member]
    /// For how long the listening sockets of a walk are believed: walks come at least once a minute.
    private static let walkBound = Nanoseconds.seconds(150)

    private var listening: (count: Double, at: MonotonicInstant)?

    /// Nothing was reported yet.
    init() {}

    /// Whether a member is the state of a socket.
    static func isState(_ member: String) -> Bool { !across.contains(member) }

    /// The series of the total, which no source reports.
    static func series(_ source: String) -> HistorySeries {
        HistorySeries(.connectionsTCP, member: member, source: source)
    }

    /// The total of a commit as one more reading; nil: the commit does not contain it.
    mutating func reading(of readings: [HistoryCollector.Reading], at now: MonotonicInstant) -> HistoryCollector
        .Reading?
    {
        var counts: [String: Double] = [:]
        var sample: HistoryCollector.Reading?
        for reading in readings where reading.series.metric == .connectionsTCP {
            guard let member = reading.series.member, case .held(let value, _) = reading.observation.value else {
                continue
            }
            counts[member] = value
            // What comes with every commit gives the time that the total held.
            if sample == nil || member == "in_use" { sample = reading }
        }
        if let count = counts["listen"] { listening = (count, now) }
        guard var total = sample, let count = self.total(of: counts, at: now) else { return nil }
        total.series = Self.series(total.series.source)
        total.observation.value = .held(count, peak: nil)
        return total
    }

    private func total(of counts: [String: Double], at now: MonotonicInstant) -> Double? {
        // Without the established ones a walk has no total.
        if counts["listen"] != nil, counts["established"] != nil {
            return counts.filter { Self.isState($0.key) && !["listen", "time_wait"].contains($0.key) }
                .values.reduce(0, +)
        }
        // net/ipv4/proc.c (sockstat_seq_show): inuse has the listening ones, and none in time-wait.
        guard let all = counts["in_use"], let listening, now.since(listening.at) <= Self.walkBound else { return nil }
        return max(0, all - listening.count)
    }
}

/// How many TCP connections there are: all sockets but those that listen or are in time-wait.
enum ConnectionTotals {
    /// The state under which a source's total is kept beside what the source tells.
    private static let member = "connected"
    // Not states of a walk: what sockstat counts beside or across them.
    private static let across: Set = ["in_use", "orphaned", member]

    /// The series of the total, which no source tells.
    static func series(_ source: String) -> HistorySeries {
        HistorySeries(.connectionsTCP, member: member, source: source)
    }

    /// The total that a commit's counts by state come to; `listening` is what is known of listening sockets from a walk
    /// before.
    ///
    /// Nil: they do not say.
    static func total(of counts: [String: Double], listening: Double?) -> Double? {
        if counts["listen"] != nil {
            return counts.filter { !across.contains($0.key) && !["listen", "time_wait"].contains($0.key) }
                .values.reduce(0, +)
        }
        // net/ipv4/proc.c (sockstat_seq_show): inuse has the listening ones, and none in time-wait.
        guard let all = counts["in_use"], let listening else { return nil }
        return max(0, all - listening)
    }
}

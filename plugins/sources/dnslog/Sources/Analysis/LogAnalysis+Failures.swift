extension LogAnalysis {
    /// What the settings call a failure, by `error.type`.
    var failures: [(type: String, count: UInt64)] {
        var counts: [String: UInt64] = [:]
        for cell in ResponseCell.all {
            let count = totals.failures(of: cell)
            if count > 0, let type = cell.errorType { counts[type, default: 0] &+= count }
        }
        // Without capability there is no number, and in particular not 0.
        let contained = capabilities
        if totals.countsUnanswered, contained.contains(.unanswered), totals.unanswered > 0 {
            counts["unanswered"] = totals.unanswered
        }
        if totals.countsDropped, totals.dropped > 0 { counts["dropped"] = totals.dropped }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension LogAnalysis {
    /// What the settings call a failure, by `error.type`.
    var failures: [(type: String, count: UInt64)] {
        var counts: [String: UInt64] = [:]
        for cell in ResponseCell.all where totals[cell] > 0 && totals.isFailure(cell) {
            if let type = cell.errorType { counts[type, default: 0] &+= totals[cell] }
        }
        // Without capability there is no number, and in particular not 0.
        let told = capabilities
        if totals.countsUnanswered, told.contains(.unanswered), totals.unanswered > 0 {
            counts["unanswered"] = totals.unanswered
        }
        if totals.countsDropped, totals.dropped > 0 { counts["dropped"] = totals.dropped }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

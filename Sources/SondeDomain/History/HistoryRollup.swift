/// Which steps of a tier a commit has to make of those below.
public enum HistoryRollup {
    /// The steps that are over at `now` and have a lower step that changed, and the one that was open at the last
    /// commit.
    ///
    /// `lastWritten` is when the series was written to before, `lastCommit` when anything was; ascending.
    public static func steps(
        of tier: HistoryTier,
        changed lower: some Sequence<Int64>,
        lastWritten: Timestamp?,
        lastCommit: Timestamp?,
        at now: Timestamp
    ) -> [Int64] {
        var found: Set<Int64> = []
        for index in lower where index >= 0 {
            let upper = index / tier.lowerSteps
            if tier.end(of: upper) <= now { found.insert(upper) }
        }
        if let lastWritten, let lastCommit, let open = tier.index(upTo: lastWritten),
            tier.end(of: open) > lastCommit, tier.end(of: open) <= now
        {
            found.insert(open)
        }
        return found.sorted()
    }
}

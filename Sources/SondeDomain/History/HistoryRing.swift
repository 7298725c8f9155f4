/// How the steps of a tier are stored in a ring of a fixed size: chunks of steps, each of which takes the place of one that is
/// older than the window.
public enum HistoryRing {
    /// How many steps are stored together.
    public static let chunkSteps: Int64 = 20

    /// How many chunks a tier has: those of its window, and the one that is being filled.
    public static func chunkCount(of tier: HistoryTier) -> Int64 {
        (tier.stepCount + chunkSteps - 1) / chunkSteps + 1
    }

    /// The chunk of a step.
    public static func chunk(of index: Int64) -> Int64 {
        max(0, index) / chunkSteps
    }

    /// The place of a chunk in the ring.
    public static func place(of chunk: Int64, in tier: HistoryTier) -> Int64 {
        max(0, chunk) % chunkCount(of: tier)
    }

    /// The place of a step in its chunk.
    public static func offset(of index: Int64) -> Int {
        Int(max(0, index) % chunkSteps)
    }

    /// The first step of a chunk, clamped.
    public static func firstStep(of chunk: Int64) -> Int64 {
        let (value, overflow) = chunk.multipliedReportingOverflow(by: chunkSteps)
        return overflow ? .max : value
    }

    /// The chunks of a range of steps; none for a range that is empty or ends before 1970.
    ///
    /// There may be more of them than a tier has places: see ``places(of:in:)``.
    public static func chunks(of steps: Range<Int64>) -> Range<Int64> {
        guard !steps.isEmpty, steps.upperBound > 0 else { return 0..<0 }
        return chunk(of: steps.lowerBound)..<(chunk(of: steps.upperBound &- 1) &+ 1)
    }

    /// The places of a range of steps, at most as many as the tier has.
    ///
    /// A range that is longer than the ring has all of them: the row at a place holds the number of its chunk.
    public static func places(of steps: Range<Int64>, in tier: HistoryTier) -> [Int64] {
        let chunks = chunks(of: steps)
        let count = chunkCount(of: tier)
        guard Int64(chunks.count) < count else { return Array(0..<count) }
        return chunks.map { place(of: $0, in: tier) }
    }
}

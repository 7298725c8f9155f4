internal import SondeDomain

/// The entries of a batch by series, in sequence order; nothing is allocated per entry.
struct SeriesChains {
    private var first: [Int32] = []
    private var last: [Int32] = []
    private var next: [Int32] = []

    /// Sorts the entries of a batch under its series.
    mutating func take(_ batch: Batch) {
        Self.fill(&first, batch.series.count)
        Self.fill(&last, batch.series.count)
        Self.fill(&next, batch.entries.count)
        for (index, entry) in batch.entries.enumerated() {
            let series = entry.seriesIndex
            guard first.indices.contains(series) else { continue }
            if first[series] < 0 { first[series] = Int32(truncatingIfNeeded: index) }
            if last[series] >= 0 { next[Int(last[series])] = Int32(truncatingIfNeeded: index) }
            last[series] = Int32(truncatingIfNeeded: index)
        }
    }

    /// The first entry of a series, or -1.
    func firstEntry(of series: Int) -> Int { Int(first[series]) }

    /// The entry of the same series that follows, or -1.
    func entry(after entry: Int) -> Int { Int(next[entry]) }

    /// How many entries there are from one on.
    func count(from entry: Int) -> Int {
        var (index, count) = (entry, 0)
        while index >= 0 {
            count &+= 1
            index = self.entry(after: index)
        }
        return count
    }

    private static func fill(_ array: inout [Int32], _ count: Int) {
        array.removeAll(keepingCapacity: true)
        array.append(contentsOf: repeatElement(-1, count: count))
    }
}

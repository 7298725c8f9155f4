internal import SondeDomain

/// The entries of a batch by series, in sequence order; nothing is allocated per entry.
struct SeriesChains {
    private var order = GroupOrder()

    /// Sorts the entries of a batch under its series.
    mutating func take(_ batch: Batch) {
        let series = 0..<batch.series.count
        order.begin(groups: series.count, items: batch.entries.count)
        for index in batch.entries.indices where series.contains(batch.entries[index].seriesIndex) {
            order.add(index, to: batch.entries[index].seriesIndex)
        }
    }

    /// The first entry of a series, or -1.
    func firstEntry(of series: Int) -> Int { order.firstItem(of: series) }

    /// The entry of the same series that follows, or -1.
    func entry(after entry: Int) -> Int { order.item(after: entry) }

    /// How many entries there are from one on.
    func count(from entry: Int) -> Int {
        var (index, count) = (entry, 0)
        while index >= 0 {
            count &+= 1
            index = self.entry(after: index)
        }
        return count
    }
}

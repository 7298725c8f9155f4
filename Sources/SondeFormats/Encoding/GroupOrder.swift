/// Items in groups, groups and items in the order in which they appear; nothing is allocated per item.
struct GroupOrder {
    /// The groups that have an item.
    private(set) var groups: [Int32] = []
    private var first: [Int32] = []
    private var last: [Int32] = []
    private var next: [Int32] = []

    /// Forgets all items and makes room for so many groups and items.
    mutating func begin(groups groupCount: Int, items itemCount: Int) {
        groups.removeAll(keepingCapacity: true)
        Self.fill(&first, groupCount)
        Self.fill(&last, groupCount)
        Self.fill(&next, itemCount)
    }

    /// Puts an item, which is in none yet, into a group.
    mutating func add(_ item: Int, to group: Int) {
        let number = Int32(truncatingIfNeeded: item)
        if last[group] >= 0 {
            next[Int(last[group])] = number
        } else {
            first[group] = number
            groups.append(Int32(truncatingIfNeeded: group))
        }
        last[group] = number
    }

    /// Whether a group has an item.
    func hasItems(_ group: Int) -> Bool { first[group] >= 0 }

    /// The first item of a group, or -1.
    func firstItem(of group: Int) -> Int { Int(first[group]) }

    /// The item of the same group that follows, or -1.
    func item(after item: Int) -> Int { Int(next[item]) }

    private static func fill(_ array: inout [Int32], _ count: Int) {
        array.removeAll(keepingCapacity: true)
        array.append(contentsOf: repeatElement(-1, count: count))
    }
}

/// The metric families that an encoder has met, by small numbers, and the points of the batch in hand by family.
struct PrometheusFamilies {
    /// One family.
    struct Family {
        let name: String
        let type: PrometheusName.MetricType
        /// The same for all families of one name: a text may give a name one type only.
        let nameNumber: Int
    }

    private var numbers: [PrometheusName: Int] = [:]
    private var nameNumbers: [String: Int] = [:]
    private(set) var families: [Family] = []
    /// Families of the batch in hand in the order of their first points.
    private(set) var order: [Int] = []
    // Chains through the entries of the batch, -1 at their ends: nothing is allocated per point.
    private var first: [Int] = []
    private var last: [Int] = []
    private var next: [Int] = []
    private var owner: [Int] = []

    /// The number of a family.
    mutating func number(of name: PrometheusName) -> Int {
        if let number = numbers[name] { return number }
        let nameNumber = nameNumbers[name.family] ?? nameNumbers.count
        nameNumbers[name.family] = nameNumber
        numbers[name] = families.count
        families.append(Family(name: name.family, type: name.type, nameNumber: nameNumber))
        return families.count - 1
    }

    /// Begins a batch.
    mutating func begin(entries: Int) {
        order.removeAll(keepingCapacity: true)
        Self.fill(&first, families.count)
        Self.fill(&last, families.count)
        Self.fill(&owner, nameNumbers.count)
        Self.fill(&next, entries)
    }

    /// Puts an entry of the batch under its family.
    ///
    /// False when the batch has a family of the same name and another type.
    mutating func add(entry: Int, to family: Int) -> Bool {
        let nameNumber = families[family].nameNumber
        if owner[nameNumber] < 0 { owner[nameNumber] = family }
        guard owner[nameNumber] == family else { return false }
        if first[family] < 0 {
            first[family] = entry
            order.append(family)
        } else {
            next[last[family]] = entry
        }
        last[family] = entry
        return true
    }

    /// The first entry of a family, or -1.
    func firstEntry(of family: Int) -> Int { first[family] }

    /// The entry of the same family that follows, or -1.
    func entry(after entry: Int) -> Int { next[entry] }

    private static func fill(_ array: inout [Int], _ count: Int) {
        array.removeAll(keepingCapacity: true)
        array.append(contentsOf: repeatElement(-1, count: count))
    }
}

/// The ports that drop the most, from walk to walk; all others are one.
///
/// A port is reported by its number only once it was found in two walks: a resolver sends each question from its own
/// port, and no series is worth opening for that.
struct PortTally {
    /// How many ports are reported by their number.
    static let worst = 32

    /// What the ports have dropped that are reported by their number.
    private(set) var counted: [UInt16: UInt64] = [:]
    /// What all other ports have dropped.
    private(set) var other: UInt64 = 0
    /// The ports whose drops are not in the newest walk; nil: one or more of all others.
    ///
    /// Their counts continue where they were once a walk has them again.
    private(set) var unknown: Set<UInt16?> = []
    private var last: PortSums?

    init() {}

    /// Takes a walk, and returns what the ports hold that are reported by their number, and all others.
    mutating func take(_ new: PortSums) -> (queues: [UInt16: UInt64], other: UInt64) {
        defer { last = last.map { new.filled(from: $0) } ?? new }
        counted = counted.filter { new.ports[$0.key] != nil }
        if let last { promote(new, last) }
        unknown = unknown(in: new)
        var queues: [UInt16: UInt64] = [:]
        var otherQueue = new.rest.queue
        for (port, sum) in new.ports {
            // What was dropped before the first walk was not counted.
            let step = last.map { Self.step(of: port, sum, since: $0) } ?? 0
            if let before = counted[port] {
                counted[port] = before &+ step
                queues[port] = sum.queue
            } else {
                other &+= step
                otherQueue &+= sum.queue
            }
        }
        if let last { other &+= Self.restStep(new, since: last) }
        return (queues, otherQueue)
    }

    private func unknown(in new: PortSums) -> Set<UInt16?> {
        var unknown: Set<UInt16?> = new.rest.drops.value == nil ? [nil] : []
        for (port, sum) in new.ports where sum.drops.value == nil {
            unknown.insert(counted[port] == nil ? nil : port)
        }
        return unknown
    }

    private mutating func promote(_ new: PortSums, _ old: PortSums) {
        let candidates = new.ports.filter { old.ports[$0.key] != nil && counted[$0.key] == nil }
        let worst = candidates.sorted { Self.isWorse($0, $1) }.prefix(Self.worst)
        for (port, sum) in worst {
            if counted.count >= Self.worst {
                let mildest = counted.keys.min { Self.rank($0, new) < Self.rank($1, new) }
                // Twice as bad: two that are alike do not take turns.
                guard let mildest, Self.rank(sum) / 2 > Self.rank(mildest, new) else { return }
                counted[mildest] = nil
            }
            counted[port] = 0
        }
    }

    private static func isWorse(_ one: (key: UInt16, value: PortSums.Sum), _ two: (key: UInt16, value: PortSums.Sum))
        -> Bool
    {
        if rank(one.value) != rank(two.value) { return rank(one.value) > rank(two.value) }
        return one.value.queue != two.value.queue ? one.value.queue > two.value.queue : one.key < two.key
    }

    private static func rank(_ port: UInt16, _ sums: PortSums) -> UInt64 { sums.ports[port].map(rank) ?? 0 }

    /// A port's rank among the others; one whose drops are unknown ranks after those that dropped.
    private static func rank(_ sum: PortSums.Sum) -> UInt64 { sum.drops.value ?? 0 }

    private static func step(of port: UInt16, _ sum: PortSums.Sum, since old: PortSums) -> UInt64 {
        guard let before = old.ports[port] else {
            // It had dropped nothing, unless it was among those beyond the limit.
            return old.rest == PortSums.Sum() ? sum.drops.value ?? 0 : 0
        }
        return step(sum.drops, since: before.drops)
    }

    /// What the ports beyond the limit have dropped; not known where one joined them, with all that it has ever dropped.
    private static func restStep(_ new: PortSums, since old: PortSums) -> UInt64 {
        guard new.rest != PortSums.Sum(), old.ports.keys.allSatisfy({ new.ports[$0] != nil }) else { return 0 }
        return step(new.rest.drops, since: old.rest.drops)
    }

    /// A sum that fell lost a socket: what the others dropped meanwhile is not known; so it is when one of the two is unknown.
    private static func step(_ new: KnownSum, since old: KnownSum) -> UInt64 {
        guard let new = new.value, let old = old.value, new >= old else { return 0 }
        return new &- old
    }
}

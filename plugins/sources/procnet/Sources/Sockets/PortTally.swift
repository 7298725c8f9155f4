/// What the sockets of ports have dropped, and what they hold, as one walk found it.
struct PortSums {
    /// The sum over the sockets of one port.
    struct Sum: Equatable {
        var drops: UInt64 = 0
        var queue: UInt64 = 0
    }

    /// Ports that are told apart; what more there are is in ``rest``.
    static let limit = 4_096

    private(set) var ports: [UInt16: Sum] = [:]
    /// Of the ports beyond the limit.
    private(set) var rest = Sum()

    init() {}

    /// Adds a socket; one that has dropped nothing and holds nothing leaves no trace.
    mutating func add(_ port: UInt16, drops: UInt64, queue: UInt64) {
        guard drops > 0 || queue > 0 else { return }
        if ports[port] == nil, ports.count >= Self.limit {
            rest.drops &+= drops
            rest.queue &+= queue
            return
        }
        ports[port, default: Sum()].drops &+= drops
        ports[port, default: Sum()].queue &+= queue
    }
}

/// The ports that drop the most, from walk to walk; all others are one.
///
/// A port is told by its number only once it was found in two walks: a resolver sends each question from a port of its
/// own, and no series is worth opening for that.
struct PortTally {
    /// How many ports are told by their number.
    static let worst = 32

    private(set) var counted: [UInt16: UInt64] = [:]
    /// What all other ports have dropped.
    private(set) var other: UInt64 = 0
    private var last: PortSums?

    init() {}

    /// Takes a walk, and says what the ports hold that are told by their number, and all others.
    mutating func take(_ new: PortSums) -> (queues: [UInt16: UInt64], other: UInt64) {
        defer { last = new }
        guard let old = last else {
            // What was dropped before nobody counted.
            return ([:], new.ports.values.reduce(new.rest.queue) { $0 &+ $1.queue })
        }
        counted = counted.filter { new.ports[$0.key] != nil }
        promote(new, old)
        var queues: [UInt16: UInt64] = [:]
        var otherQueue = new.rest.queue
        for (port, sum) in new.ports {
            let step = Self.step(of: port, sum, since: old)
            if let before = counted[port] {
                counted[port] = before &+ step
                queues[port] = sum.queue
            } else {
                other &+= step
                otherQueue &+= sum.queue
            }
        }
        other &+= Self.step(new.rest.drops, since: old.rest.drops)
        return (queues, otherQueue)
    }

    private mutating func promote(_ new: PortSums, _ old: PortSums) {
        let candidates = new.ports.filter { old.ports[$0.key] != nil && counted[$0.key] == nil }
        let worst = candidates.sorted { Self.isWorse($0, $1) }.prefix(Self.worst)
        for (port, sum) in worst {
            if counted.count >= Self.worst {
                let mildest = counted.keys.min { new.ports[$0]?.drops ?? 0 < new.ports[$1]?.drops ?? 0 }
                // Twice as bad: two that are alike do not take turns.
                guard let mildest, sum.drops / 2 > new.ports[mildest]?.drops ?? 0 else { return }
                counted[mildest] = nil
            }
            counted[port] = 0
        }
    }

    private static func isWorse(_ one: (key: UInt16, value: PortSums.Sum), _ two: (key: UInt16, value: PortSums.Sum))
        -> Bool
    {
        if one.value.drops != two.value.drops { return one.value.drops > two.value.drops }
        return one.value.queue != two.value.queue ? one.value.queue > two.value.queue : one.key < two.key
    }

    private static func step(of port: UInt16, _ sum: PortSums.Sum, since old: PortSums) -> UInt64 {
        guard let before = old.ports[port] else {
            // It had dropped nothing, unless it was among those beyond the limit.
            return old.rest == PortSums.Sum() ? sum.drops : 0
        }
        return step(sum.drops, since: before.drops)
    }

    /// A sum that fell lost a socket: what the others dropped meanwhile is not known.
    private static func step(_ new: UInt64, since old: UInt64) -> UInt64 { new >= old ? new &- old : 0 }
}

/// What the sockets of ports have dropped, and what they hold, as one walk found it.
struct PortSums {
    /// The sum over the sockets of one port.
    struct Sum: Equatable {
        /// Known when it is of every socket.
        var drops = KnownSum()
        var queue: UInt64 = 0

        mutating func add(drops: UInt64?, queue: UInt64) {
            self.drops.add(drops)
            self.queue &+= queue
        }
    }

    /// Ports that are counted individually; further ones are in ``rest``.
    static let limit = 4_096

    private(set) var ports: [UInt16: Sum] = [:]
    /// Of the ports beyond the limit.
    private(set) var rest = Sum()

    init() {}

    /// Adds a socket; one that has dropped nothing and holds nothing leaves no trace.
    ///
    /// `drops` nil: not known.
    mutating func add(_ port: UInt16, drops: UInt64?, queue: UInt64) {
        guard drops != 0 || queue > 0 else { return }
        if ports[port] == nil, ports.count >= Self.limit {
            rest.add(drops: drops, queue: queue)
        } else {
            ports[port, default: Sum()].add(drops: drops, queue: queue)
        }
    }

    /// What is not known here as it was known before: what came between the two is then counted by the next step.
    func filled(from old: PortSums) -> PortSums {
        var filled = self
        if rest.drops.value == nil { filled.rest.drops = old.rest.drops }
        for (port, sum) in ports where sum.drops.value == nil {
            if let before = old.ports[port] { filled.ports[port]?.drops = before.drops }
        }
        return filled
    }
}

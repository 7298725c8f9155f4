/// The listeners of every port, as one reading found them.
struct ListenerTable {
    /// The listeners of one port: several may share it.
    struct Port: Equatable {
        /// Connections that wait to be accepted.
        var queue: UInt64 = 0
        /// Connections that may wait; nil where the reading lacks it.
        var limit: UInt64?
        /// How full the fullest accept queue is; nil where the reading lacks it.
        var use: Double?
        /// Since the listeners were made; nil where the reading lacks it.
        var drops: UInt64?

        /// Adds another listener: what is not known of one of them is not known of both.
        mutating func add(_ other: Port) {
            queue &+= other.queue
            limit = Self.merge(limit, other.limit) { $0 &+ $1 }
            use = Self.merge(use, other.use, max)
            drops = Self.merge(drops, other.drops) { $0 &+ $1 }
        }

        private static func merge<Value>(_ one: Value?, _ two: Value?, _ body: (Value, Value) -> Value) -> Value? {
            guard let one, let two else { return nil }
            return body(one, two)
        }
    }

    /// Ports that are reported individually; those beyond are one.
    static let limit = 128

    private(set) var ports: [UInt16: Port] = [:]
    /// The ports beyond the limit, those with the highest numbers.
    private(set) var rest: Port?

    init() {}

    /// Adds a listener.
    mutating func add(_ number: UInt16, _ listener: Port) {
        if ports[number] != nil {
            ports[number]?.add(listener)
            return
        }
        guard ports.count >= Self.limit else {
            ports[number] = listener
            return
        }
        guard let highest = ports.keys.max(), highest > number, let displaced = ports.removeValue(forKey: highest)
        else {
            rest = Self.sum(rest, listener)
            return
        }
        rest = Self.sum(rest, displaced)
        ports[number] = listener
    }

    private static func sum(_ rest: Port?, _ port: Port) -> Port {
        guard var sum = rest else { return port }
        sum.add(port)
        return sum
    }
}

/// What the listeners of a port have dropped since the source started: it only rises.
struct ListenerDrops {
    private var last: UInt64?
    private(set) var total: UInt64 = 0

    init() {}

    /// Counts from the next sum on: it is one over other listeners.
    mutating func forget() {
        last = nil
    }

    /// Takes the sum over the listeners of the port; one that fell lost a listener.
    mutating func take(_ sum: UInt64) {
        if let last, sum > last { total &+= sum &- last }
        last = sum
    }
}

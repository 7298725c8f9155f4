internal import SondeNetlink

/// What a walk finds of established connections one by one: distributions by listening port, sums by cgroup.
struct ConnectionDetail {
    /// The connections of one listening port.
    struct Port {
        var count: UInt64 = 0
        /// In microseconds.
        var roundTrip = ValueBuckets()
        /// In microseconds.
        var shortestRoundTrip = ValueBuckets()
        /// In segments.
        var retransmitted = ValueBuckets()
        /// In bytes per second.
        var deliveryRate = ValueBuckets()

        init() {}

        mutating func add(_ information: TCPInformation) {
            if let value = information.roundTrip { roundTrip.add(UInt64(value)) }
            if let value = information.shortestRoundTrip { shortestRoundTrip.add(UInt64(value)) }
            if let value = information.retransmitted { retransmitted.add(UInt64(value)) }
            if let value = information.deliveryRate { deliveryRate.add(value) }
        }
    }

    /// The connections of one cgroup.
    struct Cgroup: Equatable {
        var count: UInt64 = 0
        /// Known when it is of every connection.
        var received = KnownSum()
        /// Known when it is of every connection.
        var acknowledged = KnownSum()

        mutating func add(_ other: Cgroup) {
            count &+= other.count
            received.add(other.received.value)
            acknowledged.add(other.acknowledged.value)
        }
    }

    /// Ports that are reported individually.
    static let portLimit = 32
    /// Cgroups that are counted individually in a walk.
    static let cgroupLimit = 4_096

    /// By listening port; nil: this host began the connection, or its port is one of those beyond the limit.
    private(set) var ports: [UInt16?: Port] = [:]
    /// By the kernel's number.
    private(set) var cgroups: [UInt64: Cgroup] = [:]
    /// Of those beyond the limit, and of sockets whose cgroup the kernel does not report.
    private(set) var otherCgroups = Cgroup()
    private let listening: Set<UInt16>

    /// Connections of these ports are counted individually, as far as there is room; those that come first find it.
    init(listening: some Sequence<UInt16>) {
        self.listening = Set(listening)
    }

    /// Takes an established connection.
    mutating func add(port: UInt16, cgroup: UInt64?, _ information: TCPInformation?) {
        let isReported = listening.contains(port) && (ports[port] != nil || ports.count < Self.portLimit)
        let key = isReported ? port : nil
        ports[key, default: Port()].count &+= 1
        if let information { ports[key, default: Port()].add(information) }
        let sum = Cgroup(
            count: 1,
            received: KnownSum(information?.receivedBytes),
            acknowledged: KnownSum(information?.acknowledgedBytes)
        )
        if let cgroup, cgroups[cgroup] != nil || cgroups.count < Self.cgroupLimit {
            cgroups[cgroup, default: Cgroup()].add(sum)
        } else {
            otherCgroups.add(sum)
        }
    }

    /// The cgroups with the most connections by name, and all others as one; several with one name are one.
    func named(limit: Int, _ name: (UInt64) -> String?) -> (named: [(name: String, sum: Cgroup)], other: Cgroup) {
        var names: [String: Cgroup] = [:]
        var other = otherCgroups
        for (number, sum) in cgroups {
            guard let name = name(number), name != "other" else {
                other.add(sum)
                continue
            }
            names[name, default: Cgroup()].add(sum)
        }
        let sorted = names.sorted {
            $0.value.count != $1.value.count ? $0.value.count > $1.value.count : $0.key < $1.key
        }
        for (_, sum) in sorted.dropFirst(limit) { other.add(sum) }
        return (sorted.prefix(limit).map { ($0.key, $0.value) }, other)
    }
}

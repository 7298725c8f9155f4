/// On which side of DNS this host is.
enum DNSRole: UInt8, CaseIterable {
    /// The host is the server, also of its own queries.
    case server
    /// The host is the client of another one.
    case client
    /// Neither side is this host, or its addresses are unknown.
    case none
}

/// What transactions are counted by: role, transport and family.
struct DNSLane: Equatable {
    /// How many lanes there are.
    static let count = 12

    /// Below ``count``.
    let index: Int

    init(role: DNSRole, transport: FlowTuple.Transport, isIPv6: Bool) {
        index = Int(role.rawValue) &* 4 &+ (transport == .tcp ? 2 : 0) &+ (isIPv6 ? 1 : 0)
    }

    private init(index: Int) {
        self.index = index
    }

    static var all: [DNSLane] { (0..<count).map { DNSLane(index: $0) } }

    var role: DNSRole { DNSRole(rawValue: UInt8(truncatingIfNeeded: index >> 2)) ?? .none }
    var transport: FlowTuple.Transport { index & 2 == 0 ? .udp : .tcp }
    var isIPv6: Bool { index & 1 == 1 }
}

/// A number per lane.
struct DNSLaneCounts: ~Copyable {
    private let counts: UnsafeMutablePointer<UInt64>

    init() {
        counts = .allocate(capacity: DNSLane.count)
        counts.initialize(repeating: 0, count: DNSLane.count)
    }

    deinit {
        counts.deallocate()
    }

    mutating func add(_ number: UInt64, to lane: DNSLane) {
        counts[lane.index] &+= number
    }

    subscript(lane: DNSLane) -> UInt64 { counts[lane.index] }

    /// The number of all lanes together.
    var total: UInt64 {
        (0..<DNSLane.count).reduce(0) { $0 &+ counts[$1] }
    }
}

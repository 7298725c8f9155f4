internal import SondeDomain
internal import SondeNetlink

/// How many sockets there are of each state and family.
struct SocketCounts: Equatable {
    /// How many of each state that were seen, full or not.
    private var states: [32 of UInt64] = .init(repeating: 0)
    /// How many of them are sockets that the protocol counts as in use.
    private var full: [2 of UInt64] = .init(repeating: 0)

    init() {}

    /// Counts one.
    mutating func add(_ family: SocketFamily, _ state: SocketState, isFull: Bool) {
        states[Self.place(family, state)] &+= 1
        if isFull { full[family.index] &+= 1 }
    }

    subscript(family: SocketFamily, state: SocketState) -> UInt64 { states[Self.place(family, state)] }

    /// How many are established, when `inUse` sockets of the protocol are in use and all but the established ones were
    /// counted; nil when sockets came and went so fast that the numbers contradict each other.
    ///
    /// In use are the full sockets with a port or a peer (`sock_prot_inuse_add` in `__inet_hash` and
    /// `inet_ehash_nolisten`, net/ipv4/inet_hashtables.c).
    func established(_ family: SocketFamily, inUse: UInt64) -> UInt64? {
        let (rest, isBelow) = inUse.subtractingReportingOverflow(full[family.index])
        return isBelow ? nil : rest
    }

    /// Adds those of another walk.
    mutating func add(_ other: SocketCounts) {
        for index in 0..<32 { states[index] &+= other.states[index] }
        for index in 0..<2 { full[index] &+= other.full[index] }
    }

    static func == (one: SocketCounts, other: SocketCounts) -> Bool {
        for index in 0..<32 where one.states[index] != other.states[index] { return false }
        return one.full[0] == other.full[0] && one.full[1] == other.full[1]
    }

    private static func place(_ family: SocketFamily, _ state: SocketState) -> Int {
        family.index &* 16 &+ Int(state.rawValue & 15)
    }
}

/// One entry of the table of neighbours: ARP and neighbour discovery (`struct ndmsg`, linux/neighbour.h).
public struct NeighbourReport: Hashable, Sendable {
    /// NUD_….
    public enum State: UInt16, CaseIterable, Sendable {
        case incomplete = 0x01
        case reachable = 0x02
        case stale = 0x04
        case delay = 0x08
        case probe = 0x10
        case failed = 0x20
        case noARP = 0x40
        case permanent = 0x80

        /// As ip-neighbour(8) writes it.
        public var word: String {
            switch self {
            case .incomplete: "incomplete"
            case .reachable: "reachable"
            case .stale: "stale"
            case .delay: "delay"
            case .probe: "probe"
            case .failed: "failed"
            case .noARP: "noarp"
            case .permanent: "permanent"
            }
        }
    }

    /// The family of the address.
    public var family: SocketFamily
    /// The device.
    public var index: Int32
    /// What is known of the neighbour.
    public var state: State

    /// The entry in an RTM_NEWNEIGH message; nil when it is too short, or no neighbour of IP.
    public init?(_ message: NetlinkMessage) {
        guard
            let family = message.number(at: 0, UInt8.self).flatMap(SocketFamily.init(rawValue:)),
            let index = message.number(at: 4, Int32.self),
            let state = message.number(at: 8, UInt16.self).flatMap(State.init(rawValue:))
        else { return nil }
        self.family = family
        self.index = index
        self.state = state
    }
}

extension LinkReader {
    /// Hands out every neighbour.
    ///
    /// Throws ``NetlinkError``.
    public func neighbours<Value>(
        from empty: Value,
        _ take: (inout Value, NeighbourReport) -> Void
    ) throws(NetlinkError) -> NetlinkExchange.Dump<Value> {
        // linux/rtnetlink.h: RTM_GETNEIGH, RTM_NEWNEIGH; struct ndmsg.
        var request = NetlinkRequest(30, .dump, content: [UInt8](repeating: 0, count: 12))
        return try exchange.dump(&request, from: empty) { value, message in
            guard message.type == 28, let report = NeighbourReport(message) else { return }
            take(&value, report)
        }
    }
}

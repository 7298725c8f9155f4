/// How many connections and sockets there are, by transport and state.
public struct ConnectionsSnapshot: Hashable, Sendable {
    /// One transport and state.
    public struct Group: Hashable, Sendable {
        /// The transport protocol: `tcp`, `udp`.
        public var transport: String
        /// The state: `established`, `time_wait`, `in_use`.
        public var state: String
        /// How many.
        public var count: CurrentAveragePeak

        /// A group.
        public init(transport: String, state: String, count: CurrentAveragePeak) {
            self.transport = transport
            self.state = state
            self.count = count
        }
    }

    /// When it was made.
    public var time: Timestamp
    /// The source it was made from.
    public var source: String
    /// The groups in a fixed order.
    public var groups: [Group]

    /// A snapshot.
    public init(time: Timestamp, source: String, groups: [Group]) {
        self.time = time
        self.source = source
        self.groups = groups
    }
}

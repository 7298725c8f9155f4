/// How a limit on the state directory is divided, so that it is kept by the bounds of what is in it.
public struct DiskShares: Hashable, Sendable {
    /// The least that a spool on disk works with.
    public static let leastSpool: Int64 = 4 << 20
    /// The least that a history works with.
    public static let leastHistory: Int64 = 12 << 20
    // The identity, cursors, marks and directories.
    private static let rest: Int64 = 1 << 20

    /// The bound of the spool.
    public let spool: Int64
    /// The bound of the history.
    public let history: Int64
    /// The bound of the dead letters of each sink, by its id.
    public let deadLetters: [String: Int64]

    /// The bounds of a configuration with a limit on its state directory; nil: it has none, or keeps no state.
    public init?(_ configuration: AgentConfiguration) {
        let agent = configuration.agent
        guard let limit = agent.limits.disk, agent.stateDirectory != nil else { return nil }
        func isSet(_ key: String) -> Bool { agent.marks[key] != nil }
        history =
            isSet("history.max_bytes")
            ? agent.historyMaxBytes : min(agent.historyMaxBytes, max(Self.leastHistory, limit / 8))
        let unset = configuration.sinks.filter { $0.marks["dead_letter.max_bytes"] == nil }
        let share = unset.isEmpty ? 0 : limit / 8 / Int64(unset.count)
        var letters: [String: Int64] = [:]
        for sink in configuration.sinks {
            let isOpen = sink.marks["dead_letter.max_bytes"] == nil
            letters[sink.id] = isOpen ? min(sink.deadLetterMaxBytes, share) : sink.deadLetterMaxBytes
        }
        deadLetters = letters
        let others = letters.values.reduce(history &+ Self.rest) { $0.addingReportingOverflow($1).partialValue }
        // Bounds are below 2^40 each, and there are fewer sinks than would overflow.
        spool = agent.spoolMaxBytes ?? max(Self.leastSpool, limit &- others)
        total = others.addingReportingOverflow(spool).partialValue
        self.limit = limit
    }

    private let total: Int64
    private let limit: Int64

    /// By how many bytes what is set exceeds the limit; nil: it does not.
    public var excess: Int64? { total > limit ? total &- limit : nil }
}

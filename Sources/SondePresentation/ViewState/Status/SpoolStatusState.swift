public import SondeDomain
public import SondeFormats

/// What waits in a running agent, as `sonde spool status` shows it.
public struct SpoolStatusState: Hashable, Sendable {
    /// One sink.
    public struct Sink: Hashable, Sendable {
        /// The `id` in the configuration.
        public var id: String
        /// What waits for it.
        public var queue: StatusState.Queue
        /// What was lost for it.
        public var losses: [StatusState.Loss]
    }

    /// The instant of all this, by the agent's clock.
    public var time: Timestamp?
    /// `memory` or `disk`.
    public var kind: String?
    /// The bound in bytes.
    public var maxBytes: UInt64?
    /// `drop_oldest`: what happens at the bound.
    public var overflow: String?
    /// Identifies the log.
    public var epoch: String?
    /// The sinks in the order of the configuration.
    public var sinks: [Sink]

    /// The state that an answer to `spool.status` holds; what is missing or of another type is not known.
    public init(_ spool: JSONValue) {
        time = spool.instant("time")
        kind = spool["kind"]?.asString
        maxBytes = spool["max_bytes"]?.asUInt64
        overflow = spool["overflow"]?.asString
        epoch = spool["epoch"]?.asString
        sinks = (spool["sinks"]?.asArray ?? []).compactMap { sink in
            guard let id = sink["id"]?.asString else { return nil }
            let losses = (sink["losses"]?.asArray ?? []).compactMap(StatusState.Loss.init)
            return Sink(id: id, queue: StatusState.Queue(sink), losses: losses)
        }
    }
}

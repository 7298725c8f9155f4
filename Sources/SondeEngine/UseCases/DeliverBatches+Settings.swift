public import SondeDomain

extension DeliverBatches {
    /// The sink's figures so far.
    public struct Status: Hashable, Sendable {
        /// Batches that the receiver accepted.
        public var deliveredBatches: UInt64 = 0
        /// Points and documents in them.
        public var deliveredPoints: UInt64 = 0
        /// Attempts that failed.
        public var failedAttempts: UInt64 = 0
        /// Failed attempts whose batch is offered again.
        public var retries: UInt64 = 0
        /// Points that the receiver rejected from batches that it accepted.
        public var rejectedPoints: UInt64 = 0
        /// Points and documents that were refused permanently, by the class of the failure.
        public var failedPoints: [FailureClass: UInt64] = [:]
        /// Points and documents that were refused permanently.
        public var refusedPoints: UInt64 { failedPoints.values.reduce(0, &+) }
        /// Those among them that are kept in the dead letters; the others are lost.
        public var deadLetteredPoints: UInt64 = 0
    }

    /// How a sink's batches are cut and offered.
    public struct Settings: Sendable {
        /// The `id` of the sink.
        public var id: String
        /// At most this many points or documents per batch.
        public var maxCount: Int
        /// At most about this many bytes per batch.
        public var maxBytes: Int64
        /// How failed batches wait.
        public var backoff: Backoff
        /// What happens when the receiver refuses access.
        public var accessPolicy: SinkConfiguration.AccessPolicy
        /// Which series it gets, and under which names and labels.
        public var selection = SeriesSelection.Rules()
        /// How old a point may be when its batch is cut; nil: any age.
        public var maxSampleAge: Nanoseconds?
        /// How many series it gets at the most; nil: all.
        public var maxSeries: Int?
        /// Whether it is sent the ends of series.
        public var wantsEnds: Bool
        /// How long one attempt may take: a minute, or longer if the sink's own option `timeout` is.
        public var attemptLimit = Nanoseconds.seconds(60)

        // For what a sink does before and after it waits for its receiver.
        private static let beyondTimeout = Nanoseconds.seconds(5)

        /// The settings of a configured sink.
        public init(_ sink: SinkConfiguration, wantsEnds: Bool = false) {
            self.wantsEnds = wantsEnds
            id = sink.id
            maxCount = sink.batch.samples
            maxBytes = sink.batch.bytes
            backoff = Backoff(base: sink.retry.base, cap: sink.retry.cap)
            accessPolicy = sink.onAuthError
            selection.metrics = sink.metrics
            selection.prefix = sink.prefix
            selection.relabel = sink.relabel
            maxSampleAge = sink.maxSampleAge
            maxSeries = sink.maxSeries
            if case .duration(let timeout)? = sink.options.values["timeout"] {
                attemptLimit = max(attemptLimit, timeout + Self.beyondTimeout)
            }
        }
    }
}

/// What the network of a host looks like at an instant, over a window that ends there.
///
/// What is not known is nil, never 0. Bytes per second, seconds.
public struct Snapshot: Hashable, Sendable {
    /// The network namespace that it is about.
    public struct Namespace: Hashable, Sendable {
        /// `self`, or the name of another one.
        public var name: String
        /// The kernel's number of it.
        public var inode: UInt64?
        /// Whether it is the one that the agent itself runs in.
        public var isOwn: Bool { name == "self" }

        /// A namespace.
        public init(name: String, inode: UInt64?) {
            self.name = name
            self.inode = inode
        }
    }

    /// When it was made.
    public var time: Timestamp
    /// The host; nil: it must not be shown.
    public var host: String?
    /// The network namespace, if a source reports it.
    public var namespace: Namespace?
    /// What averages, peaks and counts look back over.
    public var window: Nanoseconds
    /// Bytes per second.
    public var bandwidth: Bandwidth?
    /// How many connections.
    public var connections: Connections?
    /// What is asked of name servers, and how they answer; nil: no source reports it.
    public var dns: DNS?
    /// Why packets were dropped; nil: no source reports it.
    public var drops: Drops?
    /// The heaviest of what sources rank, in the order in which they are shown.
    public var lists: [TopList] = []
    /// The lists that everybody looks for and no source reports.
    public var absentLists: [TopListDefinition] {
        let known = Set(lists.map(\.name))
        return TopListDefinition.all.filter { !known.contains($0.name) }
    }
    /// What is broken now.
    public var failures: [Failure] = []
    /// What was lost since the agent started.
    public var losses: [Loss] = []

    /// A snapshot without data yet.
    public init(time: Timestamp, host: String?, window: Nanoseconds) {
        self.time = time
        self.host = host
        self.window = window
    }
}

extension Snapshot {
    /// Both directions.
    public struct Flow: Hashable, Sendable {
        /// What came in.
        public var receive = CurrentAveragePeak()
        /// What went out.
        public var transmit = CurrentAveragePeak()
        /// How much of the window averages and peaks cover.
        public var covered = Nanoseconds.zero

        /// Nothing is known.
        public init() {}
    }

    /// Bytes per second of the uplinks together and of each interface.
    public struct Bandwidth: Hashable, Sendable {
        /// The source that it is from.
        public var source: String
        /// How long ago the source last reported.
        public var age: Nanoseconds
        /// How much of the window averages, peaks and counts cover.
        public var covered: Nanoseconds
        /// How long the intervals are that peaks are averages over, if it is known.
        public var peakStep: Nanoseconds?
        /// The interfaces that the total is the sum of; nil: no source reports them.
        public var uplinks: [String]?
        /// The uplinks together; nil: no source reports them.
        public var total: Flow?
        /// Each interface.
        public var interfaces: [String: Flow]
        /// What a capture sees of what the kernel counts; nil: not known.
        public var coverage: Coverage?
    }

    /// TCP connections and other sockets.
    public struct Connections: Hashable, Sendable {
        /// The source that it is from.
        public var source: String
        /// How long ago the source last reported.
        public var age: Nanoseconds
        /// How much of the window averages, peaks and counts cover.
        public var covered: Nanoseconds
        /// TCP sockets but those that listen or are in time-wait.
        public var total: CurrentAveragePeak
        /// How long ago the states were last reported.
        public var statesAge: Nanoseconds?
        /// Sockets by protocol and state.
        public var states: [String: [String: Double]]
        /// The most of them in the window.
        public var statePeaks: [String: [String: Double]]
        /// Sockets by protocol: of TCP those of the total.
        public var protocols: [String: Double]
    }

    /// What one source reports about DNS, or the best of several.
    public struct DNSPart: Hashable, Sendable {
        /// The source that it is from.
        public var source: String
        /// How long ago the source last reported.
        public var age: Nanoseconds
        /// How much of the window averages, peaks and counts cover.
        public var covered: Nanoseconds
        /// Queries per second.
        public var rate = CurrentAveragePeak()
        /// Queries in the window.
        public var queries: Double?
        /// Responses in the window.
        public var responses: Double?
        /// Queries that failed in the window, those without an answer among them.
        public var failures: Double?
        /// Queries without an answer in the window.
        public var unanswered: Double?
        /// How long answers took, in seconds.
        public var latencies: LatencyCounts?
        /// Responses in the window by code; nil: the source does not report codes.
        public var codes: [String: Double]?
    }

    /// DNS on the wire, in the log, and the best of both.
    public struct DNS: Hashable, Sendable {
        /// Which of both.
        public enum Side: String, Hashable, Sendable {
            case wire
            case log
        }

        /// What is taken from one of both.
        public enum Figure: String, Hashable, Sendable, CaseIterable {
            case rate, queries, responses, failures, unanswered, latency
            case codes = "rcode"
        }

        /// What a capture sees.
        public var wire: DNSPart?
        /// The figures from a resolver's log.
        public var log: DNSPart?
        /// Each figure from the better source; `source` is the ``Side`` that most are from.
        public var joined: DNSPart?
        /// Which side each figure of ``joined`` is from; without unknown ones.
        public var figures: [Figure: Side] = [:]
        /// What the wire shows of the queries in the log; nil: not known.
        public var coverage: Coverage?
    }

    /// What one source sees of what another one counts.
    public struct Coverage: Hashable, Sendable {
        /// Why it is not 1, or not known.
        public enum Cause: String, Hashable, Sendable, CaseIterable {
            /// The kernel dropped packets of the capture.
            case captureDrops = "capture_drops"
            /// A filter leaves traffic out of the capture.
            case filter
            /// Packets were put together before they were captured, and have fewer headers.
            case aggregation
            /// An interface is not there, or cannot be captured on.
            case interfaceGone = "interface_gone"
            /// The address at which the log's resolver is asked is not known.
            case resolverUnknown = "resolver_unknown"
            /// The log does not contain every query: its level or a sampling leaves some out.
            case logLevel = "log_level_or_sampling"
            /// Lines of the log were lost before they were read.
            case lostLines = "lost_lines"
            /// Queries came encrypted, according to the log.
            case encryptedTransport = "encrypted_transport"
            /// Queries went another way than over the captured interface.
            case otherPath = "other_path"
            /// Nothing that is known explains it.
            case unexplained
        }

        /// From how far off 1 on a cause is named.
        public static let tolerance = 0.02

        /// The share, above 1 where more is seen than is counted; nil: it cannot be computed.
        public var ratio: Double?
        /// Why it is off by more than ``tolerance``, or cannot be computed.
        public var cause: Cause?

        /// A share that is known, or the reason why it is not.
        public init(ratio: Double?, cause: Cause?) {
            self.ratio = ratio
            self.cause = cause
        }

        /// A share; `cause` is asked only where it is off.
        public init?(ratio: Double, cause: () -> Cause) {
            guard ratio.isFinite else { return nil }
            self.init(ratio: ratio, cause: abs(ratio - 1) > Self.tolerance ? cause() : nil)
        }
    }

    /// Something that is broken now.
    public struct Failure: Hashable, Sendable {
        /// What a person or program can have done about it.
        public enum Action: String, Hashable, Sendable, CaseIterable {
            /// Try again at once.
            case retryNow = "retry_now"
            /// Change the configuration.
            case reconfigure
        }

        /// Its code.
        public var code: ErrorCode
        /// The source or sink.
        public var instance: String
        /// What it means.
        public var failureClass: FailureClass
        /// Since when.
        public var since: Timestamp
        /// What is wrong, in a sentence.
        public var message: String
        /// When it is tried again; nil: not automatically.
        public var nextAttempt: Timestamp?
        /// What can be done.
        public var actions: [Action]
        /// What a person can try, one sentence each.
        public var advice: [String]

        /// A failure.
        public init(
            code: ErrorCode,
            instance: String,
            failureClass: FailureClass,
            since: Timestamp,
            message: String,
            nextAttempt: Timestamp?,
            actions: [Action],
            advice: [String] = []
        ) {
            self.code = code
            self.instance = instance
            self.failureClass = failureClass
            self.since = since
            self.message = message
            self.nextAttempt = nextAttempt
            self.actions = actions
            self.advice = advice
        }
    }
}

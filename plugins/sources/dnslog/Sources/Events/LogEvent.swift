internal import SondeWire

/// The content of one line of a log, or of one message of dnstap.
///
/// Names are borrowed from the line: an event is valid as long as the line is. What is not in the line has the value
/// for unknown, never 0.
struct LogEvent {
    /// What happened.
    enum Kind: UInt8 {
        /// The line is none that its resolver writes.
        case unparsed
        /// The resolver may have written it, but nothing in it is known.
        case unrelated
        /// Understood, and nothing to count: a start, a statistic, a second record of an answer.
        case noise
        /// A client sent a query.
        case query
        /// The resolver answered, or its log has how a query failed.
        case response
        /// The resolver refused a query, which another line may report as well, as a response.
        case refusal
        /// Both in one line.
        case exchange
        /// A client sent a query and got no answer, as the line itself reports.
        case silence
        /// The resolver threw a query away.
        case drop
        /// Another server failed the resolver.
        case upstreamFailure
        /// The query of this key was forwarded to another server.
        case forward
        /// The query repeats one that is being answered, and shares its answer.
        case repetition
        /// The answer to the query for this name came, and the client got one without records in its place.
        case withheld
    }

    var kind: Kind
    /// The queried name.
    var name = LogName()
    /// The client.
    var client: IPAddress?
    /// The queried type; 0 when it is not in the line.
    var type: UInt16 = 0
    var transport = LogTransport.unknown
    var outcome = Outcome()
    /// Finds the query of a response; 0 for none.
    ///
    /// Hostile bytes cannot choose it: it is a hash with a secret seed.
    var key: UInt64 = 0
    /// Where the query of a response waits, if that was looked for while the line was read.
    var place = PendingQueries.nowhere
    /// The other server, for what was forwarded and what failed there: address and port as the log has them.
    var server = LogBytes.none
    /// Why the other server failed.
    var cause = UpstreamCause.other

    @inline(__always)
    init(_ kind: Kind) { self.kind = kind }

    static var unparsed: LogEvent { LogEvent(.unparsed) }
    static var noise: LogEvent { LogEvent(.noise) }
    static var unrelated: LogEvent { LogEvent(.unrelated) }

    /// Whether the line is one of those for which the log is read.
    @inline(always)
    var isTelling: Bool {
        switch kind {
        case .unparsed, .unrelated, .noise: false
        default: true
        }
    }
}

extension LogEvent {
    /// How a query ended, as far as the line contains it.
    struct Outcome {
        /// The response code; negative when it is not in the line.
        var code: Int16 = -1
        var records = Records.unknown
        var cache = Cache.unknown
        /// How long the answer took in nanoseconds.
        var latency: UInt64 = Self.unknownLatency
        /// Whether later lines may change the code: a CNAME whose target is yet to come.
        var isOpen = false
        /// Whether the resolver itself chose the code, and no other server failed.
        var isOwnVerdict = false

        static let unknownLatency = UInt64.max
        /// An hour: no resolver works longer on an answer.
        ///
        /// What is longer comes of a clock that was set, and is not counted.
        static let longestLatency: UInt64 = 3_600_000_000_000
    }

    /// Whether the answer had records of the queried type.
    enum Records: UInt8 {
        case unknown
        case some
        case none

        /// A number below 3; unlike the raw value, it costs no call.
        @inline(always)
        var index: Int {
            switch self {
            case .unknown: 0
            case .some: 1
            case .none: 2
            }
        }
    }

    /// Whether the answer came from what the resolver knew already.
    enum Cache: UInt8, CaseIterable {
        case unknown
        case hit
        case miss

        /// A number below 3; unlike the raw value, it costs no call.
        @inline(always)
        var index: Int {
            switch self {
            case .unknown: 0
            case .hit: 1
            case .miss: 2
            }
        }
    }
}

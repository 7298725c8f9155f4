public import SondeDomain

/// The status of one source or sink.
public struct InstanceStatus: Hashable, Sendable {
    /// Source or sink.
    public enum Kind: String, Hashable, Sendable {
        /// It reads samples.
        case source
        /// It delivers batches.
        case sink
    }

    /// A row of failures without a success between them.
    public struct Failure: Hashable, Sendable {
        /// The last of them.
        public var error: SondeError
        /// When the first occurred.
        public var since: MonotonicInstant
        /// When the last occurred.
        public var last: MonotonicInstant
        /// How many there were.
        public var count: UInt64 = 1
        /// When a success ended the row; nil while it lasts.
        public var ended: MonotonicInstant?
    }

    /// The `id` in the configuration.
    public let id: String
    /// The plugin's name.
    public let plugin: String
    /// Source or sink.
    public let kind: Kind
    /// What it is doing; a call that has not returned by its deadline outranks all but the end.
    public var state: InstanceState { hang == nil || phase == .ended ? phase : .overdue }
    /// Since when it is in this state.
    public var since: MonotonicInstant { state == .overdue ? hang?.since ?? phaseSince : phaseSince }
    /// Whether it is confined; nil: its plugin is not made for it.
    public let sandbox: Sandbox?
    /// How its limits are kept; nil: it has none.
    public let limits: LimitKeeping?
    /// When a collection, commit or delivery last succeeded.
    public private(set) var lastSuccess: MonotonicInstant?
    /// When it next does something by itself; nil: at once, when data arrives, or when a call returns.
    public var nextAttempt: MonotonicInstant? { state == .overdue ? nil : planned }
    /// The last row of failures.
    public private(set) var failure: Failure?
    /// A call that has not returned by its deadline.
    public private(set) var hang: Failure?
    /// Parts that fail while the rest works, as the plugin reports them, the oldest first.
    public private(set) var troubles: [Failure] = []
    /// Failures so far, by code.
    public private(set) var errors = ErrorCounts()
    /// What was rejected, by metric and reason.
    public internal(set) var rejections = RejectionCounts()
    // What it did, or was about to do, when the call under way began.
    private var phase = InstanceState.starting
    private var phaseSince: MonotonicInstant
    private var planned: MonotonicInstant?
    private var streamBegan: MonotonicInstant?
    /// Sources: the results of the collections.
    public var collection = CollectSource.Status()
    /// Sources: how many samples were taken.
    public var samples: UInt64 = 0
    /// Sinks: the results of the batches.
    public var delivery = DeliverBatches.Status()
    /// Sinks: points that a replay delivered; not counted in ``delivery``.
    public var replayedPoints: UInt64 = 0

    /// An instance that was not started.
    public init(
        id: String, plugin: String, kind: Kind, sandbox: Sandbox? = nil, limits: LimitKeeping? = nil,
        at now: MonotonicInstant
    ) {
        (self.sandbox, self.limits) = (sandbox, limits)
        self.id = id
        self.plugin = plugin
        self.kind = kind
        phaseSince = now
    }

    /// How many failing parts an instance can have.
    public static let troubleBound = 32

    /// The result of reporting a failing part.
    enum TroubleReport: Sendable {
        /// It was not there before.
        case new
        /// It was there.
        case known
        /// There is no room for it.
        case full
    }

    /// Whether it fails now.
    public var isFailing: Bool { worst != nil }

    /// What fails now: a call that hangs, the failure that keeps it from working, or the oldest of failing parts.
    var worst: Failure? { hang ?? failure.flatMap { $0.ended == nil ? $0 : nil } ?? troubles.first }

    /// Whether it works, apart from failing parts; nil: not known yet.
    public var isUp: Bool? {
        if phase == .ended || hang != nil || failure.map({ $0.ended == nil }) ?? false { return false }
        return lastSuccess != nil || phase == .running || phase == .idle ? true : nil
    }

    /// Its state changes; an instance that is stopping does not change back.
    public mutating func enter(_ next: InstanceState, at now: MonotonicInstant, until wake: MonotonicInstant? = nil) {
        planned = wake == .distantFuture ? nil : wake
        guard next != phase, phase != .ended, phase != .stopping || next == .ended else { return }
        phase = next
        phaseSince = now
    }

    /// Data has arrived: it is not idle any more.
    mutating func endRest(at now: MonotonicInstant) {
        guard phase == .idle else { return }
        enter(.running, at: now)
    }

    /// A collection, commit or delivery has succeeded.
    public mutating func succeed(at now: MonotonicInstant) {
        lastSuccess = now
    }

    /// A stream was opened; whether it can be read is not known yet.
    public mutating func beginStream(at now: MonotonicInstant) {
        streamBegan = now
        enter(.running, at: now)
    }

    /// Whether a stream that failed was opened again just now, and may fail as before.
    func isTried(at now: MonotonicInstant) -> Bool {
        guard let began = streamBegan, let failure, failure.ended == nil else { return false }
        return now.since(began) < .seconds(1)
    }

    /// A commit of a source was taken.
    public mutating func take(samples count: Int, at now: MonotonicInstant) {
        samples &+= UInt64(clamping: count)
        guard let began = streamBegan else { return }
        succeed(at: now)
        // The use case learns of it only when the stream ends.
        if now.since(began) >= CollectSource.steadyStream { recover(at: now) }
    }

    /// It has failed.
    public mutating func fail(_ error: SondeError, at now: MonotonicInstant) {
        streamBegan = nil
        errors.add(error.code)
        guard var row = failure, row.ended == nil else {
            failure = Failure(error: error, since: now, last: now)
            return
        }
        row.error = error
        row.last = now
        row.count &+= 1
        failure = row
    }

    /// What failed works again.
    public mutating func recover(at now: MonotonicInstant) {
        guard failure?.ended == nil else { return }
        failure?.ended = now
    }

    /// A part fails.
    mutating func reportTrouble(
        _ error: SondeError,
        since: MonotonicInstant,
        at now: MonotonicInstant
    ) -> TroubleReport {
        guard let index = troubles.firstIndex(where: { $0.error.isSameTrouble(error.code, error.optionPath) }) else {
            guard troubles.count < Self.troubleBound else { return .full }
            troubles.append(Failure(error: error, since: since, last: now))
            return .new
        }
        troubles[index].error = error
        troubles[index].last = now
        troubles[index].count &+= 1
        return .known
    }

    /// The part works again; false: it was not failing.
    mutating func clearTrouble(_ code: ErrorCode, optionPath: String?) -> Bool {
        let count = troubles.count
        troubles.removeAll { $0.error.isSameTrouble(code, optionPath) }
        return troubles.count < count
    }

    /// A call has not returned by its deadline.
    public mutating func beginHang(_ error: SondeError, at now: MonotonicInstant) {
        hang = Failure(error: error, since: now, last: now)
    }

    /// The call that hung has returned.
    public mutating func endHang() {
        hang = nil
    }
}

extension SondeError {
    fileprivate func isSameTrouble(_ code: ErrorCode, _ optionPath: String?) -> Bool {
        self.code == code && (self.optionPath ?? "") == (optionPath ?? "")
    }
}

internal import SondeDomain

/// Makes totals of the events of one format.
struct LogAnalysis: ~Copyable {
    let format: LogFormat
    private(set) var totals: LogTotals
    /// Queries that wait for their end.
    private(set) var pending: PendingQueries
    private var refused = RefusedQueries()
    private let timeout: Int64
    /// Whether a line had a key to pair it by.
    private(set) var hasKeys = false

    init(_ format: LogFormat, _ settings: LogSettings, seed: UInt64) {
        self.format = format
        totals = LogTotals(settings, seed: seed)
        pending = PendingQueries()
        timeout = max(settings.timeout.value / 1_000_000, 1)
    }

    /// A line came that tells nothing to count.
    @inline(__always)
    mutating func skipLine() {
        totals.lines &+= 1
    }

    /// A query came that has no key.
    @inline(__always)
    mutating func add(_ question: LogQuestion) {
        totals.lines &+= 1
        totals.addQuery(.unknown, question.client, question.type, question.name)
    }

    /// A line came at `now`, in milliseconds of the log's clock.
    @inline(__always)
    mutating func process(_ event: UnsafePointer<LogEvent>, at now: Int64) {
        totals.lines &+= 1
        switch event.pointee.kind {
        case .noise, .unrelated: break
        case .unparsed: totals.unparsed &+= 1
        case .query:
            totals.addQuery(event)
            if event.pointee.key != 0 { wait(event, now) }
        case .response: takeResponse(event)
        case .exchange:
            totals.addQuery(event)
            totals.addResponse(event.pointee.outcome, event.pointee.name)
        default: takeRest(event.pointee)
        }
    }

    /// A line came that was looked at more than once.
    @inline(never)
    mutating func process(_ event: LogEvent, at now: Int64) {
        withUnsafePointer(to: event) { process($0, at: now) }
    }

    /// Tells the rankings what they have not been told yet; call it before they are read.
    mutating func gather() {
        totals.gather()
    }

    /// Ends what has waited too long at `now`.
    mutating func settle(at now: Int64) {
        while let oldest = pending.oldest, now &- pending[oldest].time >= timeout { end(oldest) }
    }

    /// No line will come any more: whatever waits has no answer in the log.
    mutating func finish() {
        while let oldest = pending.oldest { end(oldest) }
    }

    /// Another interval begins.
    mutating func startInterval() {
        totals.startInterval()
    }

    /// A line was longer than lines are read.
    mutating func addUnparsed(_ count: UInt64) {
        totals.lines &+= count
        totals.unparsed &+= count
    }
}

extension LogAnalysis {
    @inline(never)
    private mutating func wait(_ event: UnsafePointer<LogEvent>, _ now: Int64) {
        hasKeys = true
        settle(at: now)
        if pending.isFull, let oldest = pending.oldest {
            if pending[oldest].hasAlias {
                end(oldest)
            } else {
                totals.evicted &+= 1
                pending.remove(oldest)
            }
        }
        // A query of the same key that waits still was given up by who asked: serial numbers and ports come again.
        if format == .dnsmasq, let old = pending.find(event.pointee.key) { end(old) }
        pending.insert(event.pointee.key, event.pointee.name, at: now)
    }

    @inline(never)
    private mutating func takeResponse(_ event: UnsafePointer<LogEvent>) {
        let key = event.pointee.key
        switch format {
        case .dnsmasq where key != 0: takeAnswer(event)
        case .bind: takeFailure(event.pointee)
        default:
            if key != 0 {
                if let place = pending.find(key) { pending.remove(place) } else { totals.unasked &+= 1 }
            }
            totals.addResponse(event.pointee.outcome, event.pointee.name)
        }
    }

    /// The categories query-errors and security both tell of a refused query.
    private mutating func takeFailure(_ event: LogEvent) {
        guard event.outcome.code != 5 || refused.add(event.kind) else { return }
        totals.addResponse(event.outcome, event.name)
    }

    /// A line of dnsmasq's answer: the first one that decides ends the query, those behind it say nothing new.
    @inline(__always)
    private mutating func takeAnswer(_ event: UnsafePointer<LogEvent>) {
        var outcome = event.pointee.outcome
        guard let place = pending.find(event.pointee.key) else {
            // An error without a query: what was asked could not be read. Anything else is one more record.
            guard outcome.code > 0, outcome.code != 3 else { return }
            totals.unasked &+= 1
            return totals.addResponse(outcome, event.pointee.name)
        }
        var entry = pending[place]
        if entry.upstream >= 0, outcome.cache == .hit { outcome.cache = .miss }
        if entry.hasAlias, entry.cache == .miss { outcome.cache = .miss }
        if outcome.isOpen {
            entry.hasAlias = true
            entry.cache = outcome.cache
            pending[place] = entry
            return
        }
        if entry.upstream >= 0, outcome.code > 0, outcome.code != 3 {
            totals.upstreams.add(Int(entry.upstream), Self.cause(outcome.code))
        }
        pending.remove(place)
        totals.addResponse(outcome, pending.name(place))
    }

    @inline(never)
    private mutating func takeRest(_ event: LogEvent) {
        switch event.kind {
        case .refusal: takeFailure(event)
        case .silence:
            withUnsafePointer(to: event) { totals.addQuery($0) }
            totals.addUnanswered(event.name)
        case .drop: totals.addDropped(event.name)
        case .upstreamFailure: totals.upstreams.add(totals.upstreams.place(of: event.server), event.cause)
        case .forward:
            guard let place = pending.find(event.key) else { return }
            pending[place].upstream = Int16(truncatingIfNeeded: totals.upstreams.place(of: event.server))
        case .repetition:
            guard let place = pending.find(event.key) else { return }
            totals.repeated &+= 1
            pending.remove(place)
        default: break
        }
    }

    /// A query has waited long enough.
    private mutating func end(_ place: UInt32) {
        let entry = pending[place]
        pending.remove(place)
        guard !entry.hasAlias else {
            var outcome = LogEvent.Outcome()
            outcome.code = 0
            outcome.records = .some
            outcome.cache = entry.cache
            return totals.addResponse(outcome, pending.name(place))
        }
        totals.addUnanswered(pending.name(place))
        if entry.upstream >= 0 { totals.upstreams.add(Int(entry.upstream), .timeout) }
    }

    private static func cause(_ code: Int16) -> UpstreamCause {
        switch code {
        case 1: .formerr
        case 2: .servfail
        case 4: .notimp
        case 5: .refused
        default: .other
        }
    }
}

internal import SondeDomain

/// Makes totals of the events of one format.
struct LogAnalysis: ~Copyable {
    let format: LogFormat
    private(set) var totals: LogTotals
    /// Queries that wait for their end.
    private(set) var pending: PendingQueries
    /// Queries that ended before their answer came, or failed already.
    private var ended = EndedQueries()
    private var refused = RefusedQueries()
    /// The query whose answer began with an alias, and how many lines there were then.
    private var lastAlias: (key: UInt64, line: UInt64) = (0, 0)
    /// Names that a plain log of dnsmasq has queries for texts for.
    private let textNames = SeenKeys()
    private let seed: UInt64
    private let timeout: Int64
    /// Whether a line had a key to pair it by.
    private(set) var hasKeys = false

    init(_ format: LogFormat, _ settings: LogSettings, seed: UInt64) {
        self.format = format
        totals = LogTotals(settings, seed: seed)
        pending = PendingQueries()
        self.seed = seed
        timeout = max(settings.timeout.value / 1_000_000, 1)
    }

    /// A line came with nothing to count.
    @inline(always)
    mutating func skipLine() {
        totals.lines &+= 1
    }

    /// A query came that has no key.
    @inline(always)
    mutating func add(_ question: LogQuestion) {
        totals.lines &+= 1
        totals.addQuery(.unknown, question.client, question.type, question.name)
        if Self.mayBeText(question.type) { keepTextName(question.name) }
    }

    /// A line of `format`, which is that of the analysis, came at `now`, in milliseconds of the log's clock.
    ///
    /// Where the format is known at the place of the call, what other formats need is left out there.
    @inline(always)
    mutating func process(_ event: LogEvent, of format: LogFormat, at now: Int64) {
        totals.lines &+= 1
        switch event.kind {
        case .noise, .unrelated: break
        case .unparsed: totals.unparsed &+= 1
        case .query:
            totals.addQuery(event.transport, event.client, event.type, event.name)
            if event.key != 0 {
                wait(event.key, event.name, event.type, format, now)
            } else if Self.mayBeText(event.type) {
                keepTextName(event.name)
            }
        case .response: takeResponse(event, format)
        case .exchange:
            totals.addQuery(event.transport, event.client, event.type, event.name)
            totals.addResponse(event.outcome, event.name)
        case .forward:
            guard let place = pending.find(event.key) else { return }
            pending.forward(place, to: totals.upstreams.place(of: event.server))
        default: takeRest(event)
        }
    }

    /// A line came that was looked at more than once.
    @inline(never)
    mutating func process(_ event: LogEvent, at now: Int64) {
        process(event, of: format, at: now)
    }

    /// Passes to the rankings what they do not have yet; call it before they are read.
    mutating func gather() {
        totals.gather()
    }

    /// Ends what has waited too long at `now`.
    mutating func settle(at now: Int64) {
        while let oldest = pending.oldest, now &- pending[oldest].time >= timeout { end(oldest) }
    }

    /// No line will come any more: what waits has no answer in the log.
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
    @inline(always)
    private mutating func wait(_ key: UInt64, _ name: LogName, _ type: UInt16, _ format: LogFormat, _ now: Int64) {
        hasKeys = true
        if let oldest = pending.oldest, pending.isFull || now &- pending.time(oldest) >= timeout { makeRoom(now) }
        guard format == .dnsmasq else { return pending.insert(key, name, at: now, asksForText: false) }
        // A query of the same key that still waits was given up by its client: serial numbers and ports come again.
        if let old = pending.find(key) { end(old) }
        pending.insert(key, name, at: now, asksForText: Self.mayBeText(type))
    }

    /// Ends what has waited too long, and the oldest query where there is no place for another one.
    @inline(never)
    private mutating func makeRoom(_ now: Int64) {
        settle(at: now)
        guard pending.isFull, let oldest = pending.oldest else { return }
        if pending[oldest].hasAlias || pending[oldest].isWithheld {
            end(oldest)
        } else {
            totals.evicted &+= 1
            pending.remove(oldest)
        }
    }

    @inline(always)
    private mutating func takeResponse(_ event: LogEvent, _ format: LogFormat) {
        switch format {
        case .dnsmasq where event.key != 0: takeAnswer(event.key, event.outcome, event.name)
        case .dnsmasq: takePlainAnswer(event)
        case .bind: takeFailure(event)
        default:
            if event.key != 0 {
                let waiting = event.place == PendingQueries.nowhere ? pending.find(event.key) : event.place
                guard let place = waiting else { return takeUnmatched(event.key, event.outcome, event.name) }
                pending.remove(place)
            }
            totals.addResponse(event.outcome, event.name)
        }
    }

    /// Whether answers to queries of a type may be texts: TXT, and ANY.
    @inline(always)
    private static func mayBeText(_ type: UInt16) -> Bool { type == 16 || type == 255 }

    @inline(never)
    private func keepTextName(_ name: LogName) {
        textNames.insert(name.bytes.hash(seed: seed))
    }

    /// A denial or an error of a plain log: a text may read like a denial of the name whose texts were queried.
    @inline(never)
    private mutating func takePlainAnswer(_ event: LogEvent) {
        var outcome = event.outcome
        let isText = !outcome.isOwnVerdict && textNames.has(event.name.bytes.hash(seed: seed))
        if isText {
            outcome.code = -1
            outcome.records = .unknown
        }
        totals.addResponse(outcome, event.name)
    }

    /// An answer to no query that waits.
    @inline(never)
    private mutating func takeUnmatched(_ key: UInt64, _ outcome: LogEvent.Outcome, _ name: LogName) {
        guard ended.end(of: key) == .unanswered else {
            totals.unasked &+= 1
            return totals.addResponse(outcome, name)
        }
        ended.remove(key)
        totals.addLateResponse(outcome, name)
    }

    /// The categories query-errors and security both log a refused query.
    @inline(never)
    private mutating func takeFailure(_ event: LogEvent) {
        guard event.outcome.code != 5 || refused.add(event.kind) else { return }
        totals.addResponse(event.outcome, event.name)
    }

    /// A line of dnsmasq's answer: the first one that decides ends the query, those after it add nothing.
    @inline(always)
    private mutating func takeAnswer(_ key: UInt64, _ answer: LogEvent.Outcome, _ name: LogName) {
        var outcome = answer
        guard let place = pending.find(key) else { return takeFurtherAnswer(key, outcome, name) }
        var entry = pending[place]
        if entry.asksForText {
            // An alias may lead anywhere.
            Self.doubt(&outcome, mayBeError: entry.hasAlias || pending.name(place).bytes.isText("error"))
        }
        if entry.upstream >= 0, outcome.cache == .hit { outcome.cache = .miss }
        if entry.hasAlias, entry.cache == .miss { outcome.cache = .miss }
        if outcome.isOpen {
            entry.hasAlias = true
            entry.cache = outcome.cache
            pending[place] = entry
            lastAlias = (entry.key, totals.lines)
            return
        }
        if outcome.code > 0, outcome.code != 3 {
            if entry.upstream >= 0, !outcome.isOwnVerdict {
                totals.upstreams.add(Int(entry.upstream), Self.cause(outcome.code))
            }
            ended.insert(entry.key, .failed)
        }
        pending.remove(place)
        totals.addResponse(outcome, pending.name(place))
    }

    /// An answer to a query for texts: a text may read like an outcome, and is then indistinguishable from one.
    ///
    /// Also from the cache, which keeps texts with `cache-rr=TXT`. Like an error reads only a text of the name `error`.
    @inline(never)
    private static func doubt(_ outcome: inout LogEvent.Outcome, mayBeError: Bool) {
        let isDenial = outcome.code == 3 || outcome.records == .none
        guard isDenial || mayBeError && outcome.code > 0, !outcome.isOwnVerdict else { return }
        outcome.code = -1
        outcome.records = .unknown
    }

    /// A line of dnsmasq's answer to a query that does not wait.
    @inline(never)
    private mutating func takeFurtherAnswer(_ key: UInt64, _ answer: LogEvent.Outcome, _ name: LogName) {
        switch ended.end(of: key) {
        case .failed: return
        case .unanswered: takeLateAnswer(key, answer, name)
        case .unansweredText:
            var outcome = answer
            Self.doubt(&outcome, mayBeError: true)
            takeLateAnswer(key, outcome, name)
        case nil:
            // An error without a query: the question could not be read. Anything else is one more record.
            guard answer.code > 0, answer.code != 3 else { return }
            totals.unasked &+= 1
            totals.addResponse(answer, name)
        }
    }

    /// The first line that decides how a query ended that was given up.
    private mutating func takeLateAnswer(_ key: UInt64, _ outcome: LogEvent.Outcome, _ name: LogName) {
        guard !outcome.isOpen else { return }
        ended.insert(key, .failed)
        totals.addLateResponse(outcome, name)
    }

    /// dnsmasq withheld an answer, and does not log the query: the name is that of the query, or of its alias's target.
    ///
    /// There may be several, of different types: it was that of which no answer comes.
    private mutating func takeWithheld(_ event: LogEvent) {
        // Of a plain log, the number of other answers is not known.
        guard hasKeys else { return totals.addResponse(Self.withheld(code: -1, .unknown), event.name) }
        var places = pending.forwarded(for: event.name)
        if places.isEmpty, lastAlias.line &+ 1 == totals.lines, let place = pending.find(lastAlias.key) {
            places.append(place)
        }
        // Such a name is written here as it is, and everywhere else in these words.
        if places.isEmpty { places = pending.forwarded(for: LogName("<name unprintable>")) }
        for place in places { pending[place].isWithheld = true }
    }

    /// What a client gets in place of an answer that was withheld.
    private static func withheld(code: Int16, _ cache: LogEvent.Cache) -> LogEvent.Outcome {
        var outcome = LogEvent.Outcome()
        outcome.code = code
        outcome.records = .none
        outcome.cache = cache
        return outcome
    }

    @inline(never)
    private mutating func takeRest(_ event: LogEvent) {
        switch event.kind {
        case .refusal: takeFailure(event)
        case .silence:
            totals.addQuery(event.transport, event.client, event.type, event.name)
            totals.addUnanswered(event.name)
        case .drop: totals.addDropped(event.name)
        case .upstreamFailure: totals.upstreams.add(totals.upstreams.place(of: event.server), event.cause)
        case .withheld: takeWithheld(event)
        case .repetition:
            guard let place = pending.find(event.key) else { return }
            pending.remove(place)
            // The text `duplicate` of the name `query` reads the same.
            let mayBeText = pending[place].asksForText && pending.name(place).bytes.isText("query")
            guard !mayBeText else { return totals.addResponse(LogEvent.Outcome(), pending.name(place)) }
            totals.repeated &+= 1
        default: break
        }
    }

    /// A query has waited long enough.
    @inline(never)
    private mutating func end(_ place: UInt32) {
        let entry = pending[place]
        pending.remove(place)
        guard !entry.isWithheld else {
            return totals.addResponse(Self.withheld(code: 0, .miss), pending.name(place))
        }
        guard !entry.hasAlias else {
            var outcome = LogEvent.Outcome()
            outcome.code = 0
            outcome.records = .some
            outcome.cache = entry.cache
            return totals.addResponse(outcome, pending.name(place))
        }
        totals.addUnanswered(pending.name(place))
        ended.insert(entry.key, entry.asksForText ? .unansweredText : .unanswered)
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

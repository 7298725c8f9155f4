internal import SondeWire

/// unbound, with `log-queries: yes` and `log-replies: yes`, tagged or not.
///
///     message = [ "[" pid ":" thread "] " ] ( query | reply | servfail | level ": " text )
///     query   = ( "query: " | "info: " ) question
///     reply   = ( "reply: " | "info: " ) question " " rcode " " seconds " " cached " " bytes
///     reply   =/ ( "reply: " | "info: " ) client " - - - " rcode " - - - "
///     servfail = "error: SERVFAIL <" name " " type " " class ">: " text [ " from " address " got " rcode ]
///     question = client " " name " " type " " class
///
/// Names have neither spaces nor colons: unbound writes `?` for all but `[A-Za-z0-9._*-]`, and `&` for the rest of a
/// name of 255 octets. Times are negative, or far too long, when the clock was set meanwhile.
extension LineParser {
    @inline(always)
    func unbound(
        _ line: LogBytes, _ prefix: LogPrefix, _ waiting: (UInt64) -> UInt32?, _ take: (LogEvent) -> Void,
        _ rest: (LogEvent) -> Void
    ) {
        var start = prefix.start
        // Through syslog, unbound repeats the process and adds the thread.
        if line[start] == 0x5b { start = line.space(from: start) &+ 1 }
        // Of "reply: " and "query: " seven bytes.
        switch line.word(at: start) & 0xff_ffff_ffff_ffff {
        case 0x20_3a79_6c70_6572: unboundReply(line, start &+ 7, waiting, take, rest)
        case 0x20_3a79_7265_7571: unboundQuery(line, start &+ 7, take, rest)
        default: rest(unboundOther(line.from(start), prefix))
        }
    }

    @inline(always)
    private func unboundQuery(
        _ text: LogBytes, _ start: Int, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void
    ) {
        var spaces = BytePlaces(of: 0x20, in: text, from: start)
        let question = UnboundQuestion(start, &spaces)
        guard question.end == text.count, question.typeEnd < text.count,
            let client = question.client(in: text, addresses)
        else { return rest(.unparsed) }
        var event = LogEvent(.query)
        event.key = key(text.slice(question.start, question.end))
        event.client = client
        takeName(question, text, &event)
        take(event)
    }

    /// What a query that waits has in common with its reply is read already, and is not read again.
    @inline(always)
    private func unboundReply(
        _ text: LogBytes, _ start: Int, _ waiting: (UInt64) -> UInt32?, _ take: (LogEvent) -> Void,
        _ rest: (LogEvent) -> Void
    ) {
        var spaces = BytePlaces(of: 0x20, in: text, from: start)
        let question = UnboundQuestion(start, &spaces)
        let codeEnd = spaces.next()
        let timeEnd = spaces.next()
        guard timeEnd < text.count else { return rest(.unparsed) }
        var event = LogEvent(.response)
        event.key = key(text.slice(question.start, question.end))
        if !question.mayBeEmpty, let place = waiting(event.key) {
            event.place = place
            if !question.isNull(in: text) { event.name = LogName(text.slice(question.nameStart, question.nameEnd)) }
        } else {
            guard question.client(in: text, addresses) != nil else { return rest(.unparsed) }
            guard !question.isEmpty(in: text) else { return rest(Self.emptyReply(text, question.end &+ 1, codeEnd)) }
            takeName(question, text, &event)
        }
        // "0 " or "1 ".
        let cached = text[timeEnd &+ 1]
        guard let code = ResponseCodeName.code(in: text, question.end &+ 1, codeEnd),
            let latency = text.slice(codeEnd &+ 1, timeEnd).nanoseconds, cached | 1 == 0x31,
            text[timeEnd &+ 2] == 0x20
        else { return rest(.unparsed) }
        event.outcome.code = code
        event.outcome.latency = latency
        event.outcome.cache = cached & 1 == 0 ? .miss : .hit
        take(event)
    }

    /// A reply without a question has a code and nothing else.
    @inline(never)
    private static func emptyReply(_ text: LogBytes, _ code: Int, _ codeEnd: Int) -> LogEvent {
        guard let code = ResponseCodeName.code(text.part(code, codeEnd)) else { return .unparsed }
        var event = LogEvent(.response)
        event.outcome.code = code
        return event
    }

    @inline(always)
    private func takeName(_ question: UnboundQuestion, _ text: LogBytes, _ event: inout LogEvent) {
        event.type = types.number(in: text, question.nameEnd &+ 1, question.typeEnd)
        // What has no question has the name null, the type TYPE0 and the class CLASS0.
        if event.type != 0 || !question.isNull(in: text) {
            event.name = LogName(text.slice(question.nameStart, question.nameEnd))
        }
    }

    @inline(never)
    private func unboundOther(_ text: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        text.has("info: ") ? unboundUntagged(text) : unboundRest(text, prefix)
    }

    /// Without `log-tag-queryreply`, query and reply can be distinguished only by their length.
    @inline(never)
    private func unboundUntagged(_ text: LogBytes) -> LogEvent {
        var event = LogEvent.unparsed
        var spaces = BytePlaces(of: 0x20, in: text, from: 6)
        let question = UnboundQuestion(6, &spaces)
        guard question.client(in: text, addresses) != nil else { return .noise }
        if question.end == text.count {
            if question.isEmpty(in: text) { return .noise }
            unboundQuery(text, 6, { event = $0 }, { event = $0 })
            return event
        }
        unboundReply(text, 6, { _ in nil }, { event = $0 }, { event = $0 })
        return event.kind == .unparsed ? .noise : event
    }

    @inline(never)
    private func unboundRest(_ text: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        if text.has("error: SERVFAIL <") { return unboundFailure(text) }
        let isLevel =
            text.has("notice: ") || text.has("warning: ") || text.has("error: ") || text.has("debug: ")
            || text.has("verbose: ") || text.has("fatal error: ")
        if isLevel { return prefix.tag == .unbound ? .noise : .unrelated }
        // unbound has a tag wherever there is a time.
        return prefix.tag == .unbound || prefix.time != nil ? .unrelated : .unparsed
    }

    /// The last server is named when it answered; a server that was silent is not.
    private func unboundFailure(_ text: LogBytes) -> LogEvent {
        var event = LogEvent(.upstreamFailure)
        if let from = text.find(" from ") {
            let end = text.space(from: from &+ 6)
            guard text.part(from &+ 6, end).address != nil else { return event }
            event.server = text.part(from &+ 6, end)
            if text.has(" got ", at: end) {
                event.cause = ResponseCodeName.cause(text.part(end &+ 5, text.space(from: end &+ 5)))
            }
        }
        if event.cause == .other, text.find("timeout") != nil { event.cause = .timeout }
        return event
    }
}

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
    @inline(__always)
    func unbound(_ message: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        // Through syslog, unbound repeats the process and adds the thread.
        let text = message[0] == 0x5b ? message.from(message.space(from: 0) &+ 1) : message
        if text.has("reply: ") { return unboundReply(text, 7, &event) }
        if text.has("query: ") { return unboundQuery(text, 7, &event) }
        if text.has("info: ") { return unboundUntagged(text, &event) }
        event = unboundRest(text, prefix)
    }

    @inline(__always)
    private func unboundQuery(_ text: LogBytes, _ start: Int, _ event: inout LogEvent) {
        var spaces = BytePlaces(of: 0x20, in: text, from: start)
        guard let question = UnboundQuestion(text, start, &spaces, addresses),
            question.end == text.count
        else { return }
        event.kind = .query
        take(question, &event, text)
    }

    @inline(__always)
    private func unboundReply(_ text: LogBytes, _ start: Int, _ event: inout LogEvent) {
        var spaces = BytePlaces(of: 0x20, in: text, from: start)
        guard let question = UnboundQuestion(text, start, &spaces, addresses) else { return }
        let codeEnd = spaces.next()
        let timeEnd = spaces.next()
        guard
            timeEnd < text.count, let code = ResponseCodeName.code(text.part(question.end &+ 1, codeEnd))
        else { return }
        event.outcome.code = code
        if question.isEmpty {
            event.client = question.client
            event.kind = .response
            return
        }
        guard let latency = text.part(codeEnd &+ 1, timeEnd).nanoseconds else { return }
        event.outcome.latency = latency
        switch (text[timeEnd &+ 1], text[timeEnd &+ 2]) {
        case (0x30, 0x20): event.outcome.cache = .miss
        case (0x31, 0x20): event.outcome.cache = .hit
        default: return
        }
        event.kind = .response
        take(question, &event, text)
    }

    @inline(__always)
    private func take(_ question: UnboundQuestion, _ event: inout LogEvent, _ text: LogBytes) {
        event.client = question.client
        event.type = types.number(in: text, question.nameEnd &+ 1, question.typeEnd)
        // What has no question has the name null, the type TYPE0 and the class CLASS0.
        if event.type != 0 || !text.has("TYPE0 ", at: question.nameEnd &+ 1) {
            event.name = LogName(text.part(question.nameStart, question.nameEnd))
        }
        event.key = key(text.part(question.start, question.end))
    }

    /// Without `log-tag-queryreply`, query and reply can be distinguished only by their length.
    @inline(never)
    private func unboundUntagged(_ text: LogBytes, _ event: inout LogEvent) {
        var spaces = BytePlaces(of: 0x20, in: text, from: 6)
        guard let question = UnboundQuestion(text, 6, &spaces, addresses) else {
            event = .noise
            return
        }
        if question.end == text.count {
            if question.isEmpty { event = .noise } else { unboundQuery(text, 6, &event) }
            return
        }
        unboundReply(text, 6, &event)
        if event.kind == .unparsed { event = .noise }
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

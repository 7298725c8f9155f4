internal import SondeWire

/// dnsmasq with `log-queries` (plain) or `log-queries=extra`, and Pi-hole.
///
///     message = [ serial " " client "/" port " " ] ( query | forward | answer | text )     ; extra has the first part
///     query   = ( "query" | "auth" ) "[" type "] " name " from " client
///     forward = "forwarded " name " to " server
///     answer  = source " " name " is " value
///     source  = "reply" | "cached" | "cached-stale" | "config" | "DHCP" | a path such as "/etc/hosts" | Pi-hole's words
///     value   = address | "NXDOMAIN" | "NODATA" [ "-IPv4" | "-IPv6" ] | "<CNAME>" | "<" type ">" | text of TXT
///     answer  =/ source " error is " code [ " (EDE: " text ")" ]
///     answer  =/ "reply is truncated" | "reply query is duplicate"
///
/// Names and texts may hold spaces, quotes and " is ": nothing is escaped. A query is read from its right end. An answer of
/// which two readings differ tells that there was an answer, and no code.
extension LineParser {
    @inline(__always)
    func dnsmasq(_ message: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        let first = message[0]
        guard first &- 0x30 < 10 else {
            event = dnsmasqPlain(message, prefix)
            return
        }
        let slash = message.space(from: 0) &+ 1
        let start = message.space(from: slash) &+ 1
        guard start < message.count, slash > 1 else { return }
        dnsmasqExtra(message.from(start), &event)
        if event.kind != .noise { event.key = key(message.part(0, start), prefix.process) }
    }

    /// Whether a message of a plain log is one of the many that tell nothing to count.
    ///
    /// Those are queries that went on to a server, and answers that are neither denial nor error: they cost no event.
    @inline(__always)
    static func isDnsmasqContinuation(_ message: LogBytes) -> Bool {
        // Which of them a line is cannot be foreseen: a branch for each would cost more than to ask for all.
        guard message.count >= 16 else { return false }
        let word = message.word(at: 0)
        // "forwarde", "reply " and "cached ", of which the last two do not go on with `error is`.
        let isForward: UInt8 = word == 0x6564_7261_7772_6f66 ? 1 : 0
        let isReply: UInt8 = word & 0xffff_ffff_ffff == 0x2079_6c70_6572 ? 1 : 0
        let isCached: UInt8 = word & 0xff_ffff_ffff_ffff == 0x20_6465_6863_6163 ? 1 : 0
        let isReplyError: UInt8 = word &>> 48 & 0xff == 0x65 ? 1 : 0
        let isCachedError: UInt8 = word &>> 56 == 0x65 ? 1 : 0
        let isAnswer = isReply & ~isReplyError | isCached & ~isCachedError
        // NXDOMAIN, NODATA or NODATA-IPv4: an N stands at one of three places.
        let (tail, place) = (message.word(at: message.count &- 8), message.word(at: message.count &- 11))
        let isShort: UInt8 = tail & 0xff == 0x4e ? 1 : 0
        let isShorter: UInt8 = tail &>> 16 & 0xff == 0x4e ? 1 : 0
        let isLong: UInt8 = place & 0xff == 0x4e ? 1 : 0
        return isForward | isAnswer & ~(isShort | isShorter | isLong) & 1 != 0
    }

    /// Lines that say nothing of which query they belong to: only queries, errors and denials can be counted.
    @inline(__always)
    private func dnsmasqPlain(_ message: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        switch message[0] {
        case 0x71: return dnsmasqQuery(message)
        case 0x66 where message.has("forwarded "): return .noise
        case 0x72 where message.has("reply "): return dnsmasqDenial(message, 6)
        case 0x63 where message.has("cached "): return dnsmasqDenial(message, 7)
        default: return dnsmasqRest(message, prefix)
        }
    }

    /// What a line `query[...` or `auth[...` tells.
    func dnsmasqQuery(_ message: LogBytes) -> LogEvent {
        var event = LogEvent.unparsed
        dnsmasqQuery(message, &event)
        return event
    }

    @inline(__always)
    private func dnsmasqQuery(_ message: LogBytes, _ event: inout LogEvent) {
        guard let question = dnsmasqQuestion(message) else {
            if !message.has("query["), !message.has("auth[") { event.kind = .noise }
            return
        }
        event.kind = .query
        event.type = question.type
        event.name = question.name
        event.client = question.client
    }

    /// Who asked for what in a line `query[...` or `auth[...`.
    @inline(__always)
    func dnsmasqQuestion(_ message: LogBytes) -> LogQuestion? {
        var index = 6
        // "query["
        if message.word(at: 0) & 0xffff_ffff_ffff != 0x5b79_7265_7571 {
            guard message.has("auth[") else { return nil }
            index = 5
        }
        let typeStart = index
        index = message.bracket(from: index)
        guard let (client, clientStart) = addresses.lastAddress(of: message) else { return nil }
        let nameStart = index &+ 2
        let nameEnd = clientStart &- 6
        // " from "
        guard message[index &+ 1] == 0x20, nameEnd > nameStart,
            message.word(at: nameEnd) & 0xffff_ffff_ffff == 0x206d_6f72_6620
        else { return nil }
        return LogQuestion(
            type: types.number(in: message, typeStart, index), name: LogName(message.part(nameStart, nameEnd)),
            client: client)
    }

    /// An answer of a plain log, of which only errors and denials mean something: each is one answer.
    @inline(__always)
    private func dnsmasqDenial(_ message: LogBytes, _ start: Int) -> LogEvent {
        // Cheap, and true for nearly every line: the last eight bytes tell that it is none of the two.
        let isError = message[start] == 0x65 && message.has("error is ", at: start)
        guard isError || Self.mayDeny(message) else { return .noise }
        var event = dnsmasqAnswer(message, start, .unknown)
        guard event.kind == .response, event.outcome.code <= 0 else { return event }
        // Of two readings, one is a denial.
        guard event.outcome.code == 0 else { return .unparsed }
        guard event.outcome.records == .none else { return .noise }
        // The number of other answers without an error is not known, so that of all of them is not either.
        event.outcome.code = -1
        return event
    }

    @inline(__always)
    private static func mayDeny(_ message: LogBytes) -> Bool {
        // NXDOMAIN, NODATA or NODATA-IPv4: an N stands at one of three places.
        message[message.count &- 8] == 0x4e || message[message.count &- 6] == 0x4e
            || message[message.count &- 11] == 0x4e
    }
}

extension LineParser {
    @inline(__always)
    private func dnsmasqExtra(_ text: LogBytes, _ event: inout LogEvent) {
        switch text[0] {
        case 0x71, 0x61: dnsmasqQuery(text, &event)
        case 0x66 where text.has("forwarded "): dnsmasqForward(text, &event)
        case 0x72 where text.has("reply "): dnsmasqAnswer(text, 6, .miss, &event)
        case 0x63 where text.has("cached "): dnsmasqAnswer(text, 7, .hit, &event)
        default: event = dnsmasqOther(text)
        }
    }

    @inline(__always)
    private func dnsmasqForward(_ text: LogBytes, _ event: inout LogEvent) {
        let serverStart = text.lastSpace(before: text.count) &+ 1
        guard text.has(" to ", at: serverStart &- 4) else { return }
        event.kind = .forward
        event.server = text.from(serverStart)
    }

    /// Answers from configuration, host files, leases, and what Pi-hole blocks.
    @inline(never)
    private func dnsmasqOther(_ text: LogBytes) -> LogEvent {
        if text.has("cached-stale ") { return dnsmasqAnswer(text, 13, .hit) }
        if text.has("config ") { return dnsmasqAnswer(text, 7, .unknown) }
        if text.has("DHCP ") { return dnsmasqAnswer(text, 5, .unknown) }
        if text.has("gravity blocked ") { return dnsmasqAnswer(text, 16, .unknown) }
        if text.has("exactly denied ") || text.has("special domain ") { return dnsmasqAnswer(text, 15, .unknown) }
        if text.has("regex denied ") { return dnsmasqAnswer(text, 13, .unknown) }
        if text.has("exactly blacklisted ") { return dnsmasqAnswer(text, 20, .unknown) }
        if text.has("regex blacklisted ") { return dnsmasqAnswer(text, 18, .unknown) }
        if text[0] == 0x2f { return dnsmasqAnswer(text, text.space(from: 0) &+ 1, .unknown) }
        return .noise
    }

    /// What `name is value` from `start` on tells.
    private func dnsmasqAnswer(_ text: LogBytes, _ start: Int, _ cache: LogEvent.Cache) -> LogEvent {
        var event = LogEvent.unparsed
        dnsmasqAnswer(text, start, cache, &event)
        return event
    }

    @inline(never)
    private func dnsmasqAnswer(
        _ text: LogBytes, _ start: Int, _ cache: LogEvent.Cache, _ event: inout LogEvent
    ) {
        event.kind = .response
        event.outcome.cache = cache
        if text.has("is truncated", at: start) { return }
        if text.has("query is duplicate", at: start) {
            event = LogEvent(.repetition)
            return
        }
        if text.has("error is ", at: start), let code = Self.dnsmasqError(text.from(start &+ 9)) {
            event.outcome.code = code
            return
        }
        guard let separator = text.find(" is ", from: start) else {
            event = .unparsed
            return
        }
        let value = text.from(separator &+ 4)
        event.name = LogName(text.part(start, separator))
        if value.isText("NXDOMAIN") {
            event.outcome.code = 3
        } else if Self.isNoData(value) {
            event.outcome.code = 0
            event.outcome.records = .none
        } else if text.ends(" is NXDOMAIN") || Self.isNoData(text.from(text.lastSpace(before: text.count) &+ 1)) {
            // A name with " is " in it, or a text that ends so: nobody can tell.
            event.outcome.records = .unknown
        } else {
            event.outcome.code = 0
            event.outcome.records = .some
            event.outcome.isOpen = value.isText("<CNAME>")
        }
    }

    private static func isNoData(_ value: LogBytes) -> Bool {
        value.isText("NODATA") || value.isText("NODATA-IPv4") || value.isText("NODATA-IPv6")
    }

    /// `SERVFAIL`, `not implemented` or `16`, perhaps with an explanation.
    private static func dnsmasqError(_ value: LogBytes) -> Int16? {
        ResponseCodeName.code(value.part(0, value.find(" (EDE") ?? value.count))
    }

    @inline(never)
    private func dnsmasqRest(_ message: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        guard prefix.tag == .dnsmasq else { return .unparsed }
        if message.has("auth[") { return dnsmasqQuery(message) }
        let event = dnsmasqOther(message)
        guard event.kind == .response else { return .noise }
        return dnsmasqDenial(message, message.find("error is ") ?? message.space(from: 0) &+ 1)
    }
}

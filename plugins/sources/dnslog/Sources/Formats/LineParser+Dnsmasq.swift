internal import SondeWire

/// dnsmasq with `log-queries` (plain) or `log-queries=extra`, and Pi-hole.
///
///     message = [ serial " " client "/" port " " ] ( query | forward | answer | text )     ; extra has the first part
///     message =/ [ serial " " ] "dnssec-query[" type "] " text      ; of dnsmasq itself
///     message =/ "possible DNS-rebind attack detected: " name       ; its answer was withheld
///     query   = ( "query" | "auth" ) "[" type "] " name " from " client
///     forward = "forwarded " name " to " server
///     answer  = source " " name " is " value [ remark ]
///     source  = "reply" | "cached" | "cached-stale" | "config" | "DHCP" | a path such as "/etc/hosts" | Pi-hole's words
///     value   = address | "NXDOMAIN" | "NODATA" [ "-IPv4" | "-IPv6" ] | "<CNAME>" | "<" type ">" | text of TXT
///     answer  =/ source " error is " code [ remark ]
///     answer  =/ "reply is truncated" | "reply query is duplicate"
///     answer  =/ "validation " name " is " ( "BOGUS" | "ABANDONED" ) [ remark ]
///     remark  = " (DNSSEC signed)" | " (EDE: " text ")"
///
/// Names and texts may hold spaces, quotes and " is ": nothing is escaped. A query is read from its right end. An answer of
/// which two readings differ is counted as an answer without a code.
extension LineParser {
    @inline(always)
    func dnsmasq(_ line: LogBytes, _ prefix: LogPrefix, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void) {
        let begin = prefix.start
        guard line[begin] &- 0x30 < 10 else { return rest(dnsmasqPlain(line.from(begin), prefix)) }
        var spaces = BytePlaces(of: 0x20, in: line, from: begin)
        let clientStart = spaces.next() &+ 1
        let start = spaces.next() &+ 1
        guard
            start < line.count, clientStart > begin &+ 1,
            prefix.tag == .dnsmasq || Self.isNumbered(line.from(begin), clientStart &- begin, start &- begin)
        else { return rest(dnsmasqRest(line.from(begin), prefix)) }
        // What dnsmasq queries for itself, with a name that may read like anything: "dnssec-".
        let word = line.word(at: clientStart) & 0xff_ffff_ffff_ffff
        guard word != 0x2d_6365_7373_6e64 else { return take(.noise) }
        dnsmasqExtra(line, start, key(line.slice(begin, start), prefix.process), spaces, take, rest)
    }

    @inline(always)
    private func dnsmasqExtra(
        _ line: LogBytes, _ start: Int, _ key: UInt64, _ before: BytePlaces, _ take: (LogEvent) -> Void,
        _ rest: (LogEvent) -> Void
    ) {
        var spaces = before
        let word = line.word(at: start)
        // "query["
        if word & 0xffff_ffff_ffff == 0x5b79_7265_7571 {
            guard let question = dnsmasqQuestion(line, start, typeStart: start &+ 6) else { return rest(.unparsed) }
            var event = LogEvent(.query)
            event.type = question.type
            event.name = question.name
            event.client = question.client
            event.key = key
            return take(event)
        }
        // "reply " and "cached "
        let isReply = word & 0xffff_ffff_ffff == 0x2079_6c70_6572
        if isReply || word & 0xff_ffff_ffff_ffff == 0x20_6465_6863_6163 {
            let nameStart = isReply ? start &+ 6 : start &+ 7
            _ = spaces.next()
            let nameEnd = spaces.next()
            if Self.isPlainAnswer(line, nameStart, nameEnd) {
                var event = LogEvent(.response)
                event.name = LogName(line.slice(nameStart, nameEnd))
                event.outcome.code = 0
                event.outcome.records = .some
                event.outcome.cache = isReply ? .miss : .hit
                event.key = key
                return take(event)
            }
        }
        // "forwarde"
        if word == 0x6564_7261_7772_6f66 {
            let server = line.lastNear(0x20, before: line.count) &+ 1
            // " to "
            if server > start &+ 10, line.word(at: server &- 4) & 0xffff_ffff == 0x206f_7420, line[start &+ 9] == 0x20 {
                var event = LogEvent(.forward)
                event.server = line.slice(server, line.count)
                event.key = key
                return take(event)
            }
        }
        var event = dnsmasqLonger(line.from(start))
        if event.kind != .noise { event.key = key }
        rest(event)
    }

    /// Whether it is an answer with a record, as nearly all are, of the name from `start` to the next space; false where it may be
    /// another one.
    @inline(always)
    private static func isPlainAnswer(_ line: LogBytes, _ start: Int, _ end: Int) -> Bool {
        // "error is", "query is" and " is ".
        let first = line.word(at: start)
        guard
            line.word(at: end) & 0xffff_ffff == 0x2073_6920, first != 0x7369_2072_6f72_7265,
            first != 0x7369_2079_7265_7571
        else { return false }
        // Of a denial, an N is at one of three places. A remark ends with a bracket, an alias with another one.
        let (tail, place) = (line.word(at: line.count &- 8), line.word(at: line.count &- 11))
        let last = tail &>> 56
        // Pi-hole's "inspection" ends so.
        return tail & 0xff != 0x4e && tail &>> 16 & 0xff != 0x4e && place & 0xff != 0x4e && last != 0x29 && last != 0x3e
            && tail != 0x6e6f_6974_6365_7073
    }

    /// Whether a message begins with a serial number, a client and a port, as in a log without tags a host may seem to.
    @inline(never)
    private static func isNumbered(_ message: LogBytes, _ clientStart: Int, _ start: Int) -> Bool {
        guard clientStart <= 11, message.part(0, clientStart &- 1).number != nil else { return false }
        let slash = message.lastIndex(of: 0x2f, before: start)
        guard slash > clientStart, start &- slash <= 7 else { return false }
        return message.part(slash &+ 1, start &- 1).number != nil
    }

    /// Whether a message of a plain log is one of the many with nothing to count.
    ///
    /// Those are forwarded queries, and answers that are neither denial nor error: they cost no event.
    @inline(always)
    static func isDnsmasqContinuation(_ message: LogBytes) -> Bool {
        // Which of them a line is cannot be predicted: a branch for each would cost more than to test for all.
        guard message.count >= 16 else { return false }
        let word = message.word(at: 0)
        // "forwarde", "reply " and "cached ", of which the last two do not continue with `error is`.
        let isForward: UInt8 = word == 0x6564_7261_7772_6f66 ? 1 : 0
        let isReply: UInt8 = word & 0xffff_ffff_ffff == 0x2079_6c70_6572 ? 1 : 0
        let isCached: UInt8 = word & 0xff_ffff_ffff_ffff == 0x20_6465_6863_6163 ? 1 : 0
        let isReplyError: UInt8 = word &>> 48 & 0xff == 0x65 ? 1 : 0
        let isCachedError: UInt8 = word &>> 56 == 0x65 ? 1 : 0
        let isAnswer = isReply & ~isReplyError | isCached & ~isCachedError
        // NXDOMAIN, NODATA or NODATA-IPv4: an N is at one of three places.
        let (tail, place) = (message.word(at: message.count &- 8), message.word(at: message.count &- 11))
        let isShort: UInt8 = tail & 0xff == 0x4e ? 1 : 0
        let isShorter: UInt8 = tail &>> 16 & 0xff == 0x4e ? 1 : 0
        let isLong: UInt8 = place & 0xff == 0x4e ? 1 : 0
        // A remark follows what may be one of them.
        let isRemark: UInt8 = tail &>> 56 == 0x29 ? 1 : 0
        return isForward | isAnswer & ~(isShort | isShorter | isLong | isRemark) & 1 != 0
    }

    /// Lines that do not name the query they belong to: only queries, errors and denials can be counted.
    @inline(never)
    private func dnsmasqPlain(_ message: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        switch message[0] {
        case 0x71: return dnsmasqQuery(message)
        case 0x66 where message.has("forwarded "): return .noise
        case 0x72 where message.has("reply "): return dnsmasqDenial(message, 6, .miss)
        case 0x63 where message.has("cached "): return dnsmasqDenial(message, 7, .hit)
        default: return dnsmasqRest(message, prefix)
        }
    }

    /// The event of a line `query[...` or `auth[...`.
    private func dnsmasqQuery(_ message: LogBytes) -> LogEvent {
        guard let question = dnsmasqQuestion(message) else {
            return message.has("query[") || message.has("auth[") ? .unparsed : .noise
        }
        var event = LogEvent(.query)
        event.type = question.type
        event.name = question.name
        event.client = question.client
        return event
    }

    /// Client and question of a line `query[...` or `auth[...`.
    @inline(always)
    func dnsmasqQuestion(_ message: LogBytes) -> LogQuestion? {
        // "query["
        if message.word(at: 0) & 0xffff_ffff_ffff == 0x5b79_7265_7571 {
            return dnsmasqQuestion(message, 0, typeStart: 6)
        }
        return message.has("auth[") ? dnsmasqQuestion(message, 0, typeStart: 5) : nil
    }

    /// The same of the message that begins at `start` of a line, and whose type begins at `typeStart`.
    @inline(always)
    private func dnsmasqQuestion(_ line: LogBytes, _ start: Int, typeStart: Int) -> LogQuestion? {
        let typeEnd = line.near(0x5d, from: typeStart)
        guard let (client, clientStart) = addresses.lastAddress(of: line) else { return nil }
        let nameStart = typeEnd &+ 2
        let nameEnd = clientStart &- 6
        // " from "
        guard nameEnd > nameStart, line[typeEnd &+ 1] == 0x20,
            line.word(at: nameEnd) & 0xffff_ffff_ffff == 0x206d_6f72_6620
        else { return nil }
        return LogQuestion(
            type: types.number(in: line, typeStart, typeEnd), name: LogName(line.slice(nameStart, nameEnd)),
            client: client)
    }

    /// An answer of a plain log, of which only errors and denials mean something: each is one answer.
    @inline(always)
    private func dnsmasqDenial(_ message: LogBytes, _ start: Int, _ cache: LogEvent.Cache) -> LogEvent {
        // Cheap, and true for nearly every line: the last eight bytes show that it is none of the two.
        let isError = message[start] == 0x65 && message.has("error is ", at: start)
        guard isError || Self.mayDeny(message) else { return .noise }
        var event = dnsmasqAnswer(message, start, cache)
        Self.keepDenial(&event)
        return event
    }

    /// Leaves of an answer what counts in a plain log.
    @inline(always)
    private static func keepDenial(_ event: inout LogEvent) {
        guard event.kind == .response, event.outcome.code <= 0 else { return }
        guard event.outcome.code == 0 else {
            // Of two readings, one is a denial. Denials of addresses are common, and counted as answers.
            if event.name.bytes.address == nil { event.kind = .unparsed }
            return
        }
        if event.outcome.records != .none { event.kind = .noise }
        // The number of other answers without an error is not known, so that of all of them is not either.
        event.outcome.code = -1
    }

    @inline(always)
    private static func mayDeny(_ message: LogBytes) -> Bool {
        // NXDOMAIN, NODATA or NODATA-IPv4: an N is at one of three places.
        message[message.count &- 8] == 0x4e || message[message.count &- 6] == 0x4e
            || message[message.count &- 11] == 0x4e || message[message.count &- 1] == 0x29
    }
}

extension LineParser {
    /// A line with a serial number that is none of those that make up nearly all of them.
    @inline(never)
    private func dnsmasqLonger(_ text: LogBytes) -> LogEvent {
        switch text[0] {
        case 0x71, 0x61: return dnsmasqQuery(text)
        case 0x66 where text.has("forwarded "): return dnsmasqForward(text)
        case 0x72 where text.has("reply "): return dnsmasqAnswer(text, 6, .miss)
        case 0x63 where text.has("cached "): return dnsmasqAnswer(text, 7, .hit)
        default: return dnsmasqOther(text)
        }
    }

    private func dnsmasqForward(_ text: LogBytes) -> LogEvent {
        let serverStart = text.lastSpace(before: text.count) &+ 1
        guard text.has(" to ", at: serverStart &- 4) else { return .unparsed }
        var event = LogEvent(.forward)
        event.server = text.from(serverStart)
        return event
    }
}

extension LineParser {
    /// Lines other than the frequent ones.
    @inline(never)
    private func dnsmasqRest(_ message: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        // dnsmasq has a tag wherever there is a time.
        guard prefix.tag == .dnsmasq else { return prefix.time == nil ? .unparsed : .unrelated }
        if message.has("auth[") { return dnsmasqQuery(message) }
        if message.has(Self.rebind) {
            var event = LogEvent(.withheld)
            event.name = LogName(message.from(Self.rebind.utf8CodeUnitCount))
            return event
        }
        // What a client gets then, and so whether it is a denial, is unknown.
        if message.ends(" is blocked during CNAME inspection") { return .noise }
        var event = dnsmasqOther(message)
        guard event.kind == .response else { return .noise }
        Self.keepDenial(&event)
        return event
    }

    private static var rebind: StaticString { "possible DNS-rebind attack detected: " }
}

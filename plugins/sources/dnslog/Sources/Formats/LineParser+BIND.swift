internal import SondeWire

/// BIND 9, categories queries, query-errors, security and lame-servers, with any of print-time, print-category and
/// print-severity.
///
///     message  = [ category ": " ] [ severity ": " ] ( client | lame | format | text )
///     client   = "client " [ "@0x" hex " " ] address "#" port [ "/key " key ] [ " (" name ")" ] ": " [ "view " view ": " ] what
///     what     = "query: " name " " class " " type " " flags " (" address ")" [ " [ECS " subnet "]" ]
///     what     =/ "query failed (" reason ") for " name "/" class "/" type " at " place
///     what     =/ "query " [ "(cache) " ] "'" name "/" type "/" class "' denied" [ " (" reason ")" ]
///     lame     = reason " resolving '" name "/" type "/" class "': " address "#" port
///     format   = "DNS format error from " address "#" port " resolving " name "/" type " for " client ": " text
///
/// Names are in the form of RFC 1035 and have no spaces; those of views may. Flags: `+` RD, `S` TSIG, `E(0)` EDNS, `T` TCP,
/// `D` DO, `C` CD, `V` and `K` cookies.
extension LineParser {
    @inline(always)
    func bind(_ line: LogBytes, _ prefix: LogPrefix, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void) {
        var start = prefix.start
        if line.has("queries: info: client ", at: start) {
            start &+= 15
        } else if !line.has("client ", at: start) {
            start &+= Self.skipWords(line.from(start))
        }
        guard line.has("client ", at: start) else {
            return rest(bindRest(line.from(start), prefix, hasWords: start > prefix.start))
        }
        bindClient(line, start &+ 7, take, rest)
    }

    /// Steps over the category and the severity: words that end with a colon, and `debug 1:`.
    @inline(never)
    private static func skipWords(_ message: LogBytes) -> Int {
        var start = 0
        for _ in 0..<2 {
            var end = message.space(from: start)
            if message.part(start, end).isText("debug") { end = message.space(from: end &+ 1) }
            guard end > start &+ 1, end < message.count, message[end &- 1] == 0x3a, message[start] >= 0x61 else {
                break
            }
            start = end &+ 1
        }
        return start
    }

    /// Reads what follows `client `.
    @inline(always)
    private func bindClient(
        _ text: LogBytes, _ word: Int, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void
    ) {
        var start = word
        var spaces = BytePlaces(of: 0x20, in: text, from: start)
        if text[start] == 0x40 { start = spaces.next() &+ 1 }
        let portEnd = spaces.next()
        let hash = text.near(0x23, from: start)
        guard hash < portEnd, hash &- start <= 48, let client = addresses.address(in: text, start, hash)
        else { return rest(.unrelated) }
        var what = portEnd &+ 1
        if text[what] != 0x28 { (what, spaces) = Self.behindKey(text, portEnd, spaces) }
        if text[what] == 0x28 { what = spaces.next() &+ 1 }
        // "view " and "query: ".
        if text.word(at: what) & 0xff_ffff_ffff == 0x20_7765_6976 { (what, spaces) = Self.behindView(text, spaces) }
        guard text.word(at: what) & 0xff_ffff_ffff_ffff == 0x20_3a79_7265_7571 else {
            return rest(bindOutcome(text, what, client))
        }
        _ = spaces.next()
        guard let event = bindQuery(text, what &+ 7, &spaces, client) else { return rest(.unparsed) }
        take(event)
    }

    /// Where the line continues after the port, and after the key of a signed query (RFC 8945) if one is named.
    @inline(never)
    private static func behindKey(_ text: LogBytes, _ portEnd: Int, _ before: BytePlaces) -> (Int, BytePlaces) {
        var spaces = before
        if text.has("/key", at: portEnd &- 4) { return (spaces.next() &+ 1, spaces) }
        guard text.has("/key ", at: portEnd &+ 1) else { return (portEnd &+ 1, spaces) }
        _ = spaces.next()
        return (spaces.next() &+ 1, spaces)
    }

    /// Where the line continues after `view` and its name, which may have spaces.
    @inline(never)
    private static func behindView(_ text: LogBytes, _ before: BytePlaces) -> (Int, BytePlaces) {
        var spaces = before
        _ = spaces.next()
        var start = spaces.next() &+ 1
        while start < text.count, text[start &- 2] != 0x3a { start = spaces.next() &+ 1 }
        return (start, spaces)
    }

    @inline(always)
    private func bindQuery(
        _ text: LogBytes, _ start: Int, _ spaces: inout BytePlaces, _ client: IPAddress
    ) -> LogEvent? {
        let nameEnd = spaces.next()
        let classEnd = spaces.next()
        let typeEnd = spaces.next()
        let flagsEnd = spaces.next()
        // "+" or "-" first.
        let flags = text.word(at: typeEnd &+ 1)
        guard
            flagsEnd < text.count, nameEnd > start, classEnd > nameEnd &+ 1, typeEnd > classEnd &+ 1,
            flags & 0xff == 0x2b || flags & 0xff == 0x2d, text[flagsEnd &+ 1] == 0x28
        else { return nil }
        var event = LogEvent(.query)
        event.client = client
        event.name = LogName(text.slice(start, nameEnd), .escaped)
        event.type = types.number(in: text, classEnd &+ 1, typeEnd)
        let hasTransport =
            flagsEnd &- typeEnd <= 9
            ? LogBytes.has(0x54, in: flags, first: flagsEnd &- typeEnd &- 1)
            : text.index(of: 0x54, from: typeEnd) < flagsEnd
        event.transport = hasTransport ? .tcp : .udp
        return event
    }

    @inline(never)
    private func bindOutcome(_ text: LogBytes, _ what: Int, _ client: IPAddress) -> LogEvent {
        guard text.has("query", at: what) else { return .noise }
        var event = LogEvent(.response)
        event.client = client
        if text.has("query failed (", at: what) {
            let reason = what &+ 14
            let reasonEnd = text.index(of: 0x29, from: reason)
            let nameStart = reasonEnd &+ 6
            guard text.has(") for ", at: reasonEnd) else { return .unparsed }
            // Without a code, the reason is why the resolver answers SERVFAIL.
            event.outcome.code = ResponseCodeName.code(text.part(reason, reasonEnd)) ?? 2
            event.name = LogName(Self.bindName(text.part(nameStart, text.space(from: nameStart))), .escaped)
            return event
        }
        guard text.find("' denied", from: what) != nil else { return .noise }
        let quote = text.index(of: 0x27, from: what)
        event.kind = .refusal
        event.outcome.code = 5
        event.name = LogName(Self.bindName(text.part(quote &+ 1, text.space(from: quote))), .escaped)
        return event
    }

    /// The name of `name/class/type`, whose last two parts have no slash.
    private static func bindName(_ question: LogBytes) -> LogBytes {
        var end = question.count
        for _ in 0..<2 {
            repeat { end &-= 1 } while end > 0 && question[end] != 0x2f
        }
        return question.part(0, end)
    }
}

extension LineParser {
    @inline(never)
    private func bindRest(_ text: LogBytes, _ prefix: LogPrefix, hasWords: Bool) -> LogEvent {
        if text.has("DNS format error from ") {
            var event = LogEvent(.upstreamFailure)
            event.cause = .malformed
            event.server = text.part(22, text.space(from: 22))
            return Self.isServer(event.server) ? event : .noise
        }
        if let resolving = text.find(" resolving '") {
            var event = LogEvent(.upstreamFailure)
            let serverStart = text.lastSpace(before: text.count) &+ 1
            event.server = text.from(serverStart)
            event.cause = Self.lameCause(text.part(0, resolving))
            return Self.isServer(event.server) ? event : .noise
        }
        if prefix.tag == .named || hasWords { return .noise }
        return prefix.time == nil ? .unparsed : .unrelated
    }

    /// Whether it is as `192.0.2.1#53`.
    private static func isServer(_ server: LogBytes) -> Bool {
        server.part(0, server.index(of: 0x23)).address != nil
    }

    private static func lameCause(_ reason: LogBytes) -> UpstreamCause {
        if reason.has("connection refused") || reason.ends("unreachable") { return .unreachable }
        if reason.has("timed out") { return .timeout }
        if reason.has("lame server") { return .lame }
        if reason.ends("unexpected RCODE") { return ResponseCodeName.cause(reason.part(0, reason.space(from: 0))) }
        return .other
    }
}

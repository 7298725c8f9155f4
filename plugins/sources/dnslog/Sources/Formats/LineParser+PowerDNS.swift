internal import SondeWire

/// PowerDNS Recursor with `quiet=no`: the structured log, and the classic one.
///
///     structured = key "=" DQUOTE value DQUOTE *( " " key "=" DQUOTE value DQUOTE )     ; the first key is msg
///     classic    = [ thread " [" id "] " ] [ "TCP " ] "question for '" name "|" type "' from " client
///     classic    =/ thread " [" id "] answer to " [ "non-rd " ] "question '" name "|" type "': " n " answers, "
///                   ... " netw ms, " total " tot ms, " ... "rcode=" number [ ", dnssec=" state ]
///     classic    =/ thread " " [ "TCP " ] "question answered from packet cache tag=" n " from " client
///     classic    =/ "[" n "] dropping " ( "UDP" | "TCP" ) " query from " address ", address " ...
///
/// Names are in the form of RFC 1035; a structured value has every backslash doubled once more. Thread and id may lack.
extension LineParser {
    @inline(__always)
    func powerDNS(_ message: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        if message.has("msg=\"") { return powerDNSStructured(message, &event) }
        powerDNSClassic(message, prefix, &event)
    }

    @inline(__always)
    private func powerDNSStructured(_ message: LogBytes, _ event: inout LogEvent) {
        let end = message.index(of: 0x22, from: 5)
        let text = message.part(5, end)
        let rest = message.from(end &+ 2)
        if text.isText("Question") { return powerDNSEvent(.query, rest, &event) }
        if text.isText("Answer") { return powerDNSEvent(.response, rest, &event) }
        if text.ends("uestion answered from packet cache") {
            event.outcome.cache = .hit
            return powerDNSEvent(.exchange, rest, &event)
        }
        if text.has("Dropping UDP query") || text.has("dropping TCP query") {
            return powerDNSEvent(.drop, rest, &event)
        }
        if end < message.count { event.kind = .noise }
    }

    /// An event with the content of the pairs from the second on.
    ///
    /// From quote to quote, so that a pair that is not needed costs little more than its two quotes.
    @inline(never)
    private func powerDNSEvent(_ kind: LogEvent.Kind, _ pairs: LogBytes, _ event: inout LogEvent) {
        var quotes = BytePlaces(of: 0x22, in: pairs, from: 0)
        var hasLatency = false
        var index = 0
        while index < pairs.count {
            let opening = quotes.next()
            var closing = quotes.next()
            while pairs[closing &- 1] == 0x5c, Self.isEscaped(closing, pairs, opening) {
                closing = quotes.next()
            }
            guard closing < pairs.count, pairs[opening &- 1] == 0x3d else { return }
            // Keys that are needed have five to seven letters.
            let length = opening &- index
            if length >= 6, length <= 8, let key = Self.key(pairs.word(at: index), length) {
                guard take(key, pairs, opening &+ 1, closing, &event) else { return }
                if key == .latency { hasLatency = true }
            }
            index = closing &+ 2
        }
        let isWhole = kind == .drop || event.type != 0 && (kind != .response || hasLatency)
        if isWhole { event.kind = kind }
    }

    /// The keys whose values are needed.
    private enum Key {
        case name
        case type
        case transport
        case client
        case code
        case latency
        case answers
    }

    /// The key of a pair by its first eight bytes; it is `length` bytes long with its equals sign.
    @inline(__always)
    private static func key(_ word: UInt64, _ length: Int) -> Key? {
        if length == 6 {
            // qname= qtype= proto= rcode= totms=
            switch word & 0xffff_ffff_ffff {
            case 0x3d65_6d61_6e71: return .name
            case 0x3d65_7079_7471: return .type
            case 0x3d6f_746f_7270: return .transport
            case 0x3d65_646f_6372: return .code
            case 0x3d73_6d74_6f74: return .latency
            default: return nil
            }
        }
        // remote=" source=" answers=
        switch word {
        case 0x223d_6574_6f6d_6572, 0x223d_6563_7275_6f73: return .client
        case 0x3d73_7265_7773_6e61: return .answers
        default: return nil
        }
    }

    /// Whether the quote at `place` is escaped; a backslash after another backslash does not escape it.
    @inline(never)
    private static func isEscaped(_ place: Int, _ pairs: LogBytes, _ opening: Int) -> Bool {
        guard place < pairs.count else { return false }
        var slashes = 0
        while place &- slashes > opening &+ 1, pairs[place &- slashes &- 1] == 0x5c { slashes &+= 1 }
        return slashes & 1 == 1
    }

    /// False when the value from `start` to before `end` is invalid for its key.
    @inline(__always)
    private func take(
        _ key: Key, _ pairs: LogBytes, _ start: Int, _ end: Int, _ event: inout LogEvent
    ) -> Bool {
        switch key {
        case .name: event.name = LogName(pairs.part(start, end), .doubled)
        case .type: event.type = types.number(in: pairs, start, end)
        // tcp"
        case .transport:
            event.transport = pairs.word(at: start) & 0xffff_ffff == 0x2270_6374 ? .tcp : .udp
        case .client:
            event.client = endpoint(in: pairs, start, end)
            return event.client != nil
        case .code: return takeCode(pairs.part(start, end), &event)
        case .latency: return takeLatency(pairs.part(start, end), &event)
        // 0"
        case .answers: event.outcome.records = pairs.word(at: start) & 0xffff == 0x2230 ? .none : .some
        }
        return true
    }

    /// A code of -1 means an answer without recursion: the code that the client got is not logged.
    @inline(__always)
    private func takeCode(_ value: LogBytes, _ event: inout LogEvent) -> Bool {
        if value.isText("-1") {
            event.outcome.code = -1
            return true
        }
        guard let number = value.number, number < 4096 else { return false }
        event.outcome.code = Int16(truncatingIfNeeded: number)
        return true
    }

    @inline(__always)
    private func takeLatency(_ value: LogBytes, _ event: inout LogEvent) -> Bool {
        guard let milliseconds = value.nanoseconds else { return false }
        event.outcome.latency = milliseconds == .max ? .max : milliseconds / 1000
        return true
    }

    /// `192.0.2.1:53` or `[2001:db8::1]:53`.
    @inline(__always)
    static func endpoint(_ text: LogBytes) -> IPAddress? {
        text.part(0, text.lastIndex(of: 0x3a, before: text.count)).address
    }

    /// The address of an endpoint that is written in `text` from `start` to before `end`.
    @inline(__always)
    private func endpoint(in text: LogBytes, _ start: Int, _ end: Int) -> IPAddress? {
        addresses.address(in: text, start, max(text.lastIndex(of: 0x3a, before: end), start))
    }
}

extension LineParser {
    @inline(never)
    private func powerDNSClassic(_ message: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        var spaces = BytePlaces(of: 0x20, in: message, from: 0)
        var start = 0
        if message[0] &- 0x30 < 10 { start = spaces.next() &+ 1 }
        if message[start] == 0x5b { start = spaces.next() &+ 1 }
        var transport = LogTransport.udp
        if message.has("TCP question", at: start) {
            start = spaces.next() &+ 1
            transport = .tcp
        }
        switch message[start] {
        case 0x71 where message.has("question for '", at: start):
            event.transport = transport
            classicQuestion(message, start &+ 14, &spaces, &event)
        case 0x71 where message.has("question answered from packet cache", at: start):
            event.transport = transport
            classicHit(message, start &+ 30, &event)
        case 0x61 where message.has("answer to question '", at: start):
            classicAnswer(message, start &+ 20, &spaces, &event)
        case 0x61 where message.has("answer to non-rd question '", at: start):
            _ = spaces.next()
            classicAnswer(message, start &+ 27, &spaces, &event)
        case 0x64 where message.has("dropping UDP query from ", at: start):
            event.transport = .udp
            classicDrop(message, start &+ 24, &event)
        case 0x64 where message.has("dropping TCP query from ", at: start):
            event.transport = .tcp
            classicDrop(message, start &+ 24, &event)
        default: event.kind = prefix.tag == .powerdns || prefix.time != nil ? .unrelated : .unparsed
        }
    }

    private func classicDrop(_ text: LogBytes, _ start: Int, _ event: inout LogEvent) {
        event.client = text.part(start, text.index(of: 0x2c, from: start)).address
        if event.client != nil { event.kind = .drop }
    }

    @inline(__always)
    private func classicQuestion(
        _ text: LogBytes, _ start: Int, _ spaces: inout BytePlaces, _ event: inout LogEvent
    ) {
        _ = (spaces.next(), spaces.next())
        let end = spaces.next()
        guard text.has("' from ", at: end &- 1), takeQuestion(text, start, end &- 1, &event) else { return }
        let clientStart = spaces.next() &+ 1
        event.client = endpoint(in: text, clientStart, spaces.next())
        if event.client != nil { event.kind = .query }
    }

    @inline(__always)
    private func classicHit(_ text: LogBytes, _ start: Int, _ event: inout LogEvent) {
        let clientStart = (text.find(" from ", from: start) ?? text.count) &+ 6
        event.client = endpoint(in: text, clientStart, text.space(from: clientStart))
        event.outcome.cache = .hit
        if event.client != nil { event.kind = .exchange }
    }

    @inline(__always)
    private func classicAnswer(
        _ text: LogBytes, _ start: Int, _ spaces: inout BytePlaces, _ event: inout LogEvent
    ) {
        _ = (spaces.next(), spaces.next(), spaces.next())
        let end = spaces.next()
        guard text.has("': ", at: end &- 2), takeQuestion(text, start, end &- 2, &event) else { return }
        event.outcome.records = text.has("0 ", at: end &+ 1) ? .none : .some
        // " tot ms,", of which the m is rarest.
        var marks = BytePlaces(of: 0x6d, in: text, from: end)
        var mark = marks.next()
        while text.word(at: mark &- 5) != 0x2c73_6d20_746f_7420 {
            guard mark < text.count else { return }
            mark = marks.next()
        }
        let total = mark &- 5
        guard takeLatency(text.part(text.lastSpace(before: total) &+ 1, total), &event) else { return }
        var codeEnd = text.count
        var code = text.lastSpace(before: codeEnd)
        if text.has(", dnssec=", at: code &- 1) {
            codeEnd = code &- 1
            code = text.lastSpace(before: codeEnd)
        }
        guard
            code > total, text.has(", rcode=", at: code &- 1), takeCode(text.part(code &+ 7, codeEnd), &event)
        else { return }
        event.kind = .response
    }

    /// Whether `name|type` is from `start` to before `end`; the name has no spaces, and the type no bars.
    @inline(__always)
    private func takeQuestion(_ text: LogBytes, _ start: Int, _ end: Int, _ event: inout LogEvent) -> Bool {
        let bar = text.lastIndex(of: 0x7c, before: end)
        guard bar >= start, end &- bar <= 24 else { return false }
        event.name = LogName(text.part(start, bar), .escaped)
        event.type = types.number(in: text, bar &+ 1, end)
        return true
    }
}

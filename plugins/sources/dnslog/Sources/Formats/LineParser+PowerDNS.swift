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
    @inline(always)
    func powerDNS(_ line: LogBytes, _ prefix: LogPrefix, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void) {
        // "msg=" and a quote.
        guard line.word(at: prefix.start) & 0xff_ffff_ffff == 0x22_3d67_736d else {
            return powerDNSClassic(line, prefix, take, rest)
        }
        var event = LogEvent(Self.structuredKind(line, prefix.start &+ 5))
        guard event.isTelling else { return rest(event) }
        if event.kind == .exchange { event.outcome.cache = .hit }
        guard takeKnownPairs(line, prefix.start &+ 5, &event) else {
            return rest(readPairs(line, prefix.start &+ 5, event.kind))
        }
        take(event)
    }

    /// The same as ``readPairs(_:_:_:)`` for a line whose pairs are where those of lines before it were; false for any other.
    ///
    /// Of a pair that is not needed, its equals sign and its quotes are looked at, as there.
    @inline(always)
    private func takeKnownPairs(_ line: LogBytes, _ start: Int, _ event: inout LogEvent) -> Bool {
        guard let shape = shapes[event.kind], shape.count > 0 else { return false }
        var quotes = BytePlaces(of: 0x22, in: line, from: start)
        var step = shape.steps
        let end = step + shape.count
        var left = step.pointee.skipped
        var closing = quotes.next()
        while closing &+ 2 < line.count {
            let opening = quotes.next()
            closing = quotes.next()
            guard closing < line.count, line[opening &- 1] == 0x3d, line[closing &- 1] != 0x5c else { return false }
            guard left == 0 else {
                left &-= 1
                continue
            }
            guard
                line.word(at: opening &- 8) & step.pointee.mask == step.pointee.word,
                take(step.pointee.key, line, opening &+ 1, closing, &event)
            else { return false }
            step += 1
            left = step < end ? step.pointee.skipped : .max
        }
        return step == end
    }

    /// What the line reports whose message begins at `start`.
    @inline(always)
    private static func structuredKind(_ line: LogBytes, _ start: Int) -> LogEvent.Kind {
        let word = line.word(at: start)
        // "Question" and "Answer", each with the quote behind it.
        if word == 0x6e6f_6974_7365_7551, line[start &+ 8] == 0x22 { return .query }
        if word & 0xff_ffff_ffff_ffff == 0x22_7265_7773_6e41 { return .response }
        return otherKind(line, start)
    }

    @inline(never)
    private static func otherKind(_ line: LogBytes, _ start: Int) -> LogEvent.Kind {
        let end = line.index(of: 0x22, from: start)
        let text = line.part(start, end)
        if text.ends("uestion answered from packet cache") { return .exchange }
        if text.has("Dropping UDP query") || text.has("dropping TCP query") { return .drop }
        return end < line.count ? .noise : .unparsed
    }

    /// An event with the content of the pairs that follow the message from `start` on; what is no such line otherwise.
    @inline(never)
    private func readPairs(_ line: LogBytes, _ start: Int, _ kind: LogEvent.Kind) -> LogEvent {
        var event = LogEvent(kind)
        if kind == .exchange { event.outcome.cache = .hit }
        var quotes = BytePlaces(of: 0x22, in: line, from: start)
        var steps: [PairShapes.Step] = []
        var (skipped, hasEscapes, hasLatency) = (0, false, false)
        var closing = quotes.next()
        while closing &+ 2 < line.count {
            let opening = quotes.next()
            let length = opening &- closing &- 2
            closing = quotes.next()
            if line[closing &- 1] == 0x5c {
                hasEscapes = true
                (closing, quotes) = Self.skipEscaped(line, opening, closing, quotes)
            }
            let word = line.word(at: opening &- 8)
            guard closing < line.count, word &>> 56 == 0x3d else { return .unparsed }
            guard let key = Self.key(word, length) else {
                skipped &+= 1
                continue
            }
            guard take(key, line, opening &+ 1, closing, &event) else { return .unparsed }
            if key == .latency { hasLatency = true }
            // The separator is one of the bytes, unless there are as many without it.
            let mask = length == 6 ? ~0xff : UInt64.max
            if steps.count <= PairShapes.mostSteps {
                steps.append(PairShapes.Step(skipped: skipped, word: word & mask, mask: mask, key: key))
            }
            skipped = 0
        }
        guard kind == .drop || event.type != 0 && (kind != .response || hasLatency) else { return .unparsed }
        if kind != .drop, !hasEscapes { shapes.keep(steps, kind) }
        return event
    }

    /// The keys whose values are needed.
    enum PairKey {
        case name
        case type
        case transport
        case client
        case code
        case latency
        case answers
    }

    /// The key of a pair by the eight bytes before its value; it is `length` bytes long with its equals sign.
    @inline(always)
    private static func key(_ word: UInt64, _ length: Int) -> PairKey? {
        switch word &>> 16 {
        // qname= qtype= proto= rcode= totms=
        case 0x3d65_6d61_6e71 where length == 6: .name
        case 0x3d65_7079_7471 where length == 6: .type
        case 0x3d6f_746f_7270 where length == 6: .transport
        case 0x3d65_646f_6372 where length == 6: .code
        case 0x3d73_6d74_6f74 where length == 6: .latency
        // remote= source= answers=
        case 0x3d65_746f_6d65 where length == 7 && word &>> 8 & 0xff == 0x72: .client
        case 0x3d65_6372_756f where length == 7 && word &>> 8 & 0xff == 0x73: .client
        case 0x3d73_7265_7773 where length == 8 && word & 0xffff == 0x6e61: .answers
        default: nil
        }
    }

    /// Where a value ends of which a quote at `closing` may be escaped, and the quotes after that one.
    @inline(never)
    private static func skipEscaped(
        _ line: LogBytes, _ opening: Int, _ closing: Int, _ before: BytePlaces
    ) -> (Int, BytePlaces) {
        var (closing, quotes) = (closing, before)
        while line[closing &- 1] == 0x5c, isEscaped(closing, line, opening) { closing = quotes.next() }
        return (closing, quotes)
    }

    /// Whether the quote at `place` is escaped; a backslash after another backslash does not escape it.
    private static func isEscaped(_ place: Int, _ pairs: LogBytes, _ opening: Int) -> Bool {
        guard place < pairs.count else { return false }
        var slashes = 0
        while place &- slashes > opening &+ 1, pairs[place &- slashes &- 1] == 0x5c { slashes &+= 1 }
        return slashes & 1 == 1
    }

    /// False when the value from `start` to before `end` is invalid for its key.
    @inline(always)
    private func take(
        _ key: PairKey, _ pairs: LogBytes, _ start: Int, _ end: Int, _ event: inout LogEvent
    ) -> Bool {
        switch key {
        case .name: event.name = LogName(pairs.slice(start, end), .doubled)
        case .type: event.type = types.number(in: pairs, start, end)
        // tcp"
        case .transport:
            event.transport = pairs.word(at: start) & 0xffff_ffff == 0x2270_6374 ? .tcp : .udp
        case .client:
            event.client = endpoint(in: pairs, start, end)
            return event.client != nil
        case .code: return Self.takeCode(pairs, start, end, &event)
        case .latency: return Self.takeLatency(pairs.slice(start, end), &event)
        // 0"
        case .answers: event.outcome.records = pairs.word(at: start) & 0xffff == 0x2230 ? .none : .some
        }
        return true
    }

    /// A code of -1 means an answer without recursion: the code that the client got is not logged.
    @inline(always)
    private static func takeCode(_ line: LogBytes, _ start: Int, _ end: Int, _ event: inout LogEvent) -> Bool {
        let digit = line[start] &- 0x30
        guard end &- start == 1, digit < 10 else {
            event.outcome.code = longCode(line.part(start, end))
            return event.outcome.code >= -1
        }
        event.outcome.code = Int16(digit)
        return true
    }

    /// A code of more than one digit, or -1; what is none is below that.
    @inline(never)
    private static func longCode(_ value: LogBytes) -> Int16 {
        if value.isText("-1") { return -1 }
        guard let number = value.number, number < 4096 else { return .min }
        return Int16(truncatingIfNeeded: number)
    }

    @inline(always)
    private static func takeLatency(_ value: LogBytes, _ event: inout LogEvent) -> Bool {
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
    @inline(always)
    private func endpoint(in text: LogBytes, _ start: Int, _ end: Int) -> IPAddress? {
        let colon = text.lastNear(0x3a, before: end)
        return addresses.address(in: text, start, colon < start ? start : colon)
    }
}

extension LineParser {
    @inline(always)
    private func powerDNSClassic(
        _ line: LogBytes, _ prefix: LogPrefix, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void
    ) {
        var start = prefix.start
        var spaces = BytePlaces(of: 0x20, in: line, from: start)
        if line[start] &- 0x30 < 10 { start = spaces.next() &+ 1 }
        if line[start] == 0x5b { start = spaces.next() &+ 1 }
        // "question" and "answer t".
        let word = line.word(at: start)
        if word == 0x6e6f_6974_7365_7571, line.has(" for '", at: start &+ 8) {
            guard let event = classicQuestion(line, start &+ 14, spaces, .udp) else { return rest(.unparsed) }
            return take(event)
        }
        if word == 0x7420_7265_7773_6e61, line.has("o question '", at: start &+ 8) {
            guard let event = classicAnswer(line, start &+ 20, spaces) else { return rest(.unparsed) }
            return take(event)
        }
        rest(classicRest(line, start, spaces, prefix))
    }

    @inline(never)
    private func classicRest(
        _ line: LogBytes, _ place: Int, _ before: BytePlaces, _ prefix: LogPrefix
    ) -> LogEvent {
        var (start, spaces, transport) = (place, before, LogTransport.udp)
        if line.has("TCP question", at: start) {
            start = spaces.next() &+ 1
            transport = .tcp
        }
        switch line[start] {
        case 0x71 where line.has("question for '", at: start):
            return classicQuestion(line, start &+ 14, spaces, transport) ?? .unparsed
        case 0x71 where line.has("question answered from packet cache", at: start):
            return classicHit(line, start &+ 30, transport)
        case 0x61 where line.has("answer to non-rd question '", at: start):
            _ = spaces.next()
            return classicAnswer(line, start &+ 27, spaces) ?? .unparsed
        case 0x64 where line.has("dropping UDP query from ", at: start):
            return classicDrop(line, start &+ 24, .udp)
        case 0x64 where line.has("dropping TCP query from ", at: start):
            return classicDrop(line, start &+ 24, .tcp)
        default: return prefix.tag == .powerdns || prefix.time != nil ? .unrelated : .unparsed
        }
    }

    private func classicDrop(_ text: LogBytes, _ start: Int, _ transport: LogTransport) -> LogEvent {
        guard let client = text.part(start, text.index(of: 0x2c, from: start)).address else { return .unparsed }
        var event = LogEvent(.drop)
        event.client = client
        event.transport = transport
        return event
    }

    @inline(always)
    private func classicQuestion(
        _ text: LogBytes, _ start: Int, _ before: BytePlaces, _ transport: LogTransport
    ) -> LogEvent? {
        var spaces = before
        _ = (spaces.next(), spaces.next())
        let end = spaces.next()
        var event = LogEvent(.query)
        event.transport = transport
        guard text.has("' from ", at: end &- 1), takeQuestion(text, start, end &- 1, &event) else { return nil }
        let clientStart = spaces.next() &+ 1
        event.client = endpoint(in: text, clientStart, spaces.next())
        return event.client == nil ? nil : event
    }

    private func classicHit(_ text: LogBytes, _ start: Int, _ transport: LogTransport) -> LogEvent {
        let clientStart = (text.find(" from ", from: start) ?? text.count) &+ 6
        var event = LogEvent(.exchange)
        event.transport = transport
        event.client = endpoint(in: text, clientStart, text.space(from: clientStart))
        event.outcome.cache = .hit
        return event.client == nil ? .unparsed : event
    }

    @inline(always)
    private func classicAnswer(_ text: LogBytes, _ start: Int, _ before: BytePlaces) -> LogEvent? {
        var spaces = before
        _ = (spaces.next(), spaces.next(), spaces.next())
        let end = spaces.next()
        var event = LogEvent(.response)
        guard text.has("': ", at: end &- 2), takeQuestion(text, start, end &- 2, &event) else { return nil }
        // "0 "
        event.outcome.records = text.word(at: end &+ 1) & 0xffff == 0x2030 ? .none : .some
        // " tot ms,", of which the m is rarest.
        var marks = BytePlaces(of: 0x6d, in: text, from: end)
        var mark = marks.next()
        while text.word(at: mark &- 5) != 0x2c73_6d20_746f_7420 {
            guard mark < text.count else { return nil }
            mark = marks.next()
        }
        let total = mark &- 5
        guard Self.takeLatency(text.part(text.lastNear(0x20, before: total) &+ 1, total), &event) else { return nil }
        var codeEnd = text.count
        var code = text.lastNear(0x20, before: codeEnd)
        // " dnssec=" after a comma.
        if text.word(at: code) == 0x3d63_6573_736e_6420, text[code &- 1] == 0x2c {
            codeEnd = code &- 1
            code = text.lastNear(0x20, before: codeEnd)
        }
        // " rcode=" after a comma.
        guard
            code > total, text.word(at: code &- 1) == 0x3d65_646f_6372_202c,
            Self.takeCode(text, code &+ 7, codeEnd, &event)
        else { return nil }
        return event
    }

    /// Whether `name|type` is from `start` to before `end`; the name has no spaces, and the type no bars.
    @inline(always)
    private func takeQuestion(_ text: LogBytes, _ start: Int, _ end: Int, _ event: inout LogEvent) -> Bool {
        let bar = text.lastNear(0x7c, before: end)
        guard bar >= start, end &- bar <= 24 else { return false }
        event.name = LogName(text.slice(start, bar), .escaped)
        event.type = types.number(in: text, bar &+ 1, end)
        return true
    }
}

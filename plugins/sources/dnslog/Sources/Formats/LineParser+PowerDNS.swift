internal import SondeWire

/// PowerDNS Recursor with `quiet=no`: the structured log, and the classic one.
///
///     structured = key "=" DQUOTE value DQUOTE *( " " key "=" DQUOTE value DQUOTE )     ; the first key is msg
///     classic    = [ thread " [" id "] " ] [ "TCP " ] "question for '" name "|" type "' from " client
///     classic    =/ thread " [" id "] answer to question '" name "|" type "': " n " answers, " ... " netw ms, " total
///                   " tot ms, " ... "rcode=" number
///     classic    =/ thread " " [ "TCP " ] "question answered from packet cache tag=" n " from " client
///     classic    =/ "[" n "] dropping " ( "UDP" | "TCP" ) " query from " address ", address " ...
///
/// Names are in the form of RFC 1035; a structured value has every backslash doubled once more. Thread and id may lack.
extension LineParser {
    @inline(__always)
    func powerDNS(_ message: LogBytes, _ prefix: LogPrefix, _ event: inout LogEvent) {
        if message.has("msg=\"") { return powerDNSStructured(message, &event) }
        event = powerDNSClassic(message, prefix)
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

    /// An event with what the pairs from the second on tell.
    @inline(never)
    private func powerDNSEvent(_ kind: LogEvent.Kind, _ pairs: LogBytes, _ event: inout LogEvent) {
        var index = 0
        while index < pairs.count {
            let key = Self.key(pairs.word(at: index))
            var start = index &+ (key?.length ?? 0)
            if key == nil {
                start = pairs.index(of: 0x3d, from: index) &+ 2
            }
            let end = Self.valueEnd(pairs, start)
            guard pairs[start &- 1] == 0x22, end < pairs.count else { return }
            if let key, !take(key, pairs.part(start, end), &event) { return }
            index = end &+ 2
        }
        let isWhole = kind == .drop || event.type != 0 && (kind != .response || event.outcome.latency != .max)
        if isWhole { event.kind = kind }
    }

    /// The keys whose values are wanted.
    private enum Key {
        case name
        case type
        case transport
        case client
        case code
        case latency
        case answers

        /// How many bytes it has with the equals sign and the quote.
        var length: Int {
            switch self {
            case .name, .type, .transport, .code, .latency: 7
            case .client: 8
            case .answers: 9
            }
        }
    }

    /// The key that a pair begins with, by its first eight bytes.
    @inline(__always)
    private static func key(_ word: UInt64) -> Key? {
        // qname=" qtype=" proto=" rcode=" totms="
        switch word & 0xff_ffff_ffff_ffff {
        case 0x22_3d65_6d61_6e71: return .name
        case 0x22_3d65_7079_7471: return .type
        case 0x22_3d6f_746f_7270: return .transport
        case 0x22_3d65_646f_6372: return .code
        case 0x22_3d73_6d74_6f74: return .latency
        default: break
        }
        // remote=" source=" answers=
        switch word {
        case 0x223d_6574_6f6d_6572, 0x223d_6563_7275_6f73: return .client
        case 0x3d73_7265_7773_6e61: return .answers
        default: return nil
        }
    }

    /// Where the quote is that ends a value: one without a backslash of its own.
    @inline(__always)
    private static func valueEnd(_ pairs: LogBytes, _ start: Int) -> Int {
        var end = pairs.index(of: 0x22, from: start)
        while end < pairs.count, pairs[end &- 1] == 0x5c {
            var slashes = 0
            while end &- slashes > start, pairs[end &- slashes &- 1] == 0x5c { slashes &+= 1 }
            if slashes & 1 == 0 { return end }
            end = pairs.index(of: 0x22, from: end &+ 1)
        }
        return end
    }

    /// False when a value cannot be what its key says.
    @inline(__always)
    private func take(_ key: Key, _ value: LogBytes, _ event: inout LogEvent) -> Bool {
        switch key {
        case .name: event.name = LogName(value, .doubled)
        case .type: event.type = types.number(value)
        case .transport: event.transport = value.isText("tcp") ? .tcp : .udp
        case .client:
            event.client = Self.endpoint(value)
            return event.client != nil
        case .code: return takeCode(value, &event)
        case .latency: return takeLatency(value, &event)
        case .answers: event.outcome.records = value.isText("0") ? .none : .some
        }
        return true
    }

    /// A code of -1 stands for an answer without recursion: the code that the client got is not told.
    private func takeCode(_ value: LogBytes, _ event: inout LogEvent) -> Bool {
        if value.isText("-1") {
            event.outcome.code = -1
            return true
        }
        guard let number = value.number, number < 4096 else { return false }
        event.outcome.code = Int16(truncatingIfNeeded: number)
        return true
    }

    private func takeLatency(_ value: LogBytes, _ event: inout LogEvent) -> Bool {
        guard let milliseconds = value.billionths else { return false }
        event.outcome.latency = milliseconds / 1000
        return true
    }

    /// `192.0.2.1:53` or `[2001:db8::1]:53`.
    @inline(__always)
    static func endpoint(_ text: LogBytes) -> IPAddress? {
        var colon = text.count &- 1
        while colon > 0, text[colon] != 0x3a { colon &-= 1 }
        return text.part(0, colon).address
    }
}

extension LineParser {
    @inline(never)
    private func powerDNSClassic(_ message: LogBytes, _ prefix: LogPrefix) -> LogEvent {
        var start = 0
        if message[0] &- 0x30 < 10 { start = message.space(from: 0) &+ 1 }
        if message[start] == 0x5b { start = message.space(from: start) &+ 1 }
        let text = message.from(start)
        let isTCP = text.has("TCP question")
        let body = isTCP ? text.from(4) : text
        if body.has("question for '") { return classicQuestion(body, isTCP ? .tcp : .udp) }
        if body.has("answer to question '") { return classicAnswer(body) }
        if body.has("question answered from packet cache") { return classicHit(body, isTCP ? .tcp : .udp) }
        if body.has("dropping UDP query from ") || body.has("dropping TCP query from ") {
            var event = LogEvent(.drop)
            event.transport = body[9] == 0x54 ? .tcp : .udp
            event.client = body.part(24, body.index(of: 0x2c, from: 24)).address
            return event.client == nil ? .unparsed : event
        }
        return prefix.tag == .powerdns || prefix.time != nil ? .unrelated : .unparsed
    }

    private func classicQuestion(_ text: LogBytes, _ transport: LogTransport) -> LogEvent {
        guard var event = classicName(text, 14, .query, "' from ") else { return .unparsed }
        let clientStart = (text.find("' from ", from: 14) ?? text.count) &+ 7
        event.client = Self.endpoint(text.part(clientStart, text.space(from: clientStart)))
        event.transport = transport
        return event.client == nil ? .unparsed : event
    }

    private func classicHit(_ text: LogBytes, _ transport: LogTransport) -> LogEvent {
        var event = LogEvent(.exchange)
        let clientStart = (text.find(" from ", from: 30) ?? text.count) &+ 6
        event.client = Self.endpoint(text.part(clientStart, text.space(from: clientStart)))
        event.transport = transport
        event.outcome.cache = .hit
        return event.client == nil ? .unparsed : event
    }

    private func classicAnswer(_ text: LogBytes) -> LogEvent {
        guard
            var event = classicName(text, 20, .response, "': "), let total = text.find(" tot ms, "),
            let code = text.find(", rcode=", from: total), takeCode(text.from(code &+ 8), &event)
        else { return .unparsed }
        let latencyStart = text.lastSpace(before: total) &+ 1
        guard takeLatency(text.part(latencyStart, total), &event) else { return .unparsed }
        let answers = event.name.bytes.base + event.name.bytes.count - text.base
        if let separator = text.find("': ", from: answers) {
            event.outcome.records = text.has("0 ", at: separator &+ 3) ? .none : .some
        }
        return event
    }

    /// `name|type` from `start` on, which ends where `after` is; the name has neither spaces nor bars.
    private func classicName(
        _ text: LogBytes, _ start: Int, _ kind: LogEvent.Kind, _ after: StaticString
    ) -> LogEvent? {
        let bar = text.index(of: 0x7c, from: start)
        guard bar < text.count, let end = text.find(after, from: bar), end &- bar <= 24 else { return nil }
        var event = LogEvent(kind)
        event.name = LogName(text.part(start, bar), .escaped)
        event.type = types.number(text.part(bar &+ 1, end))
        return event
    }
}

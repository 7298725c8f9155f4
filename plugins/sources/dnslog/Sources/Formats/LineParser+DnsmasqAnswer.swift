/// Answers of dnsmasq, the grammar of which is described with its queries.
extension LineParser {
    /// Answers from configuration, host files, leases, of DNSSEC, and Pi-hole's own wordings.
    @inline(never)
    func dnsmasqOther(_ text: LogBytes) -> LogEvent {
        if text.has("config ") { return dnsmasqAnswer(text, 7, .unknown) }
        if text.has("cached-stale ") { return dnsmasqAnswer(text, 13, .hit) }
        if text.has("DHCP ") { return dnsmasqRecord(text, 5) }
        if text[0] == 0x2f { return dnsmasqRecord(text, text.space(from: 0) &+ 1) }
        if text.has("validation ") { return Self.dnsmasqVerdict(text) }
        if let start = Self.piHoleReason(text) { return piHoleAnswer(text, start) }
        return .noise
    }

    /// What a lease or a host file has: there is a record, for any name of a client.
    private func dnsmasqRecord(_ text: LogBytes, _ start: Int) -> LogEvent {
        var event = dnsmasqAnswer(text, start, .unknown)
        guard event.kind == .response else { return event }
        event.outcome.code = 0
        event.outcome.records = .some
        return event
    }

    /// The event of `name is value` from `start` on.
    func dnsmasqAnswer(_ text: LogBytes, _ start: Int, _ cache: LogEvent.Cache) -> LogEvent {
        var event = LogEvent.unparsed
        dnsmasqAnswer(text, start, cache, &event)
        return event
    }

    @inline(never)
    func dnsmasqAnswer(_ text: LogBytes, _ start: Int, _ cache: LogEvent.Cache, _ event: inout LogEvent) {
        let line = text[text.count &- 1] == 0x29 ? Self.withoutRemark(text) : text
        event.kind = .response
        event.outcome.cache = cache
        if line.has("is truncated", at: start), line.count == start &+ 12 { return }
        if line.has("query is duplicate", at: start), line.count == start &+ 18 {
            event = LogEvent(.repetition)
            return
        }
        if line.has("error is ", at: start), let code = ResponseCodeName.code(line.from(start &+ 9)) {
            event.outcome.code = code
            return
        }
        guard let separator = line.find(" is ", from: start) else {
            event = .unparsed
            return
        }
        event.name = LogName(line.part(start, separator))
        event.outcome.take(line, separator &+ 4)
        // Answers of other servers to PTR queries begin so as well, and the owner of an address may call it NXDOMAIN.
        guard event.outcome.isDenial, cache != .unknown, event.name.bytes.address != nil else { return }
        event.outcome.code = -1
        event.outcome.records = .unknown
    }

    /// The text without the remark of dnsmasq after an answer, in brackets.
    @inline(never)
    private static func withoutRemark(_ text: LogBytes) -> LogBytes {
        if text.ends(" (DNSSEC signed)") { return text.part(0, text.count &- 16) }
        var opening = text.lastIndex(of: 0x28, before: text.count)
        // Explanations have brackets themselves: `NSEC(3) missing`.
        while opening > 0, !text.has("(EDE: ", at: opening) { opening = text.lastIndex(of: 0x28, before: opening) }
        guard opening > 1, text[opening &- 1] == 0x20, text.find(" is ", from: opening) == nil else { return text }
        return text.part(0, opening &- 1)
    }

    /// An answer that dnsmasq found to be forged: the client gets SERVFAIL, and the queried server did answer.
    private static func dnsmasqVerdict(_ text: LogBytes) -> LogEvent {
        let line = withoutRemark(text)
        guard line.ends(" is BOGUS") || line.ends(" is ABANDONED") else { return .noise }
        var event = LogEvent(.response)
        event.outcome.code = 2
        event.outcome.cache = .miss
        event.outcome.isOwnVerdict = true
        return event
    }
}

extension LineParser {
    /// Where the name begins after Pi-hole's reason for its own answer; nil when there is none.
    private static func piHoleReason(_ text: LogBytes) -> Int? {
        let end: Int
        switch true {
        case text.has("gravity blocked "): end = 16
        case text.has("exactly denied "), text.has("special domain "): end = 15
        case text.has("regex denied "): end = 13
        case text.has("Rate-limiting "): end = 14
        case text.has("Pi-hole hostname "): end = 17
        case text.has("exactly blacklisted "): end = 20
        case text.has("regex blacklisted "): end = 18
        default: return nil
        }
        return text.has("(CNAME) ", at: end) ? end &+ 8 : end
    }

    /// Pi-hole refuses in one line, where dnsmasq writes `error is`; it writes no texts there.
    private func piHoleAnswer(_ text: LogBytes, _ start: Int) -> LogEvent {
        var event = dnsmasqAnswer(text, start, .unknown)
        let line = text[text.count &- 1] == 0x29 ? Self.withoutRemark(text) : text
        guard event.kind == .response, line.ends(" is REFUSED") else { return event }
        event.outcome = LogEvent.Outcome()
        event.outcome.code = 5
        return event
    }
}

extension LogEvent.Outcome {
    fileprivate var isDenial: Bool { code == 3 || records == .none }

    /// Takes the text from `start` on, after ` is `.
    @inline(always)
    fileprivate mutating func take(_ line: LogBytes, _ start: Int) {
        let value = line.from(start)
        if value.isText("NXDOMAIN") {
            code = 3
        } else if Self.isNoData(value) {
            code = 0
            records = .none
        } else if line.ends(" is NXDOMAIN") || Self.isNoData(line.from(line.lastSpace(before: line.count) &+ 1)) {
            // A name with " is " in it, or a text that ends so: they are indistinguishable.
            records = .unknown
        } else if value.isText("blocked during CNAME inspection") {
            // What Pi-hole sends then is a matter of its configuration.
            records = .unknown
        } else {
            code = 0
            records = .some
            // Of a name with " is " in it too.
            isOpen = line.ends(" is <CNAME>")
        }
    }

    private static func isNoData(_ value: LogBytes) -> Bool {
        value.isText("NODATA") || value.isText("NODATA-IPv4") || value.isText("NODATA-IPv6")
    }
}

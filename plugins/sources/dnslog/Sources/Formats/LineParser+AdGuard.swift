/// The query log of AdGuard Home, `querylog.json`: a JSON object per line.
///
///     T        time                         QH, QT, QC  name, type and class of the question
///     CP       client's protocol: "" for plain DNS, "doh", "dot", "doq", "dnscrypt"
///     IP       client                       Upstream    the server that was queried
///     Answer   the message in Base64        Elapsed     nanoseconds
///     Cached   true, or absent              Result      what a filter said; not read
///
/// The code and whether there are records come from the header of the message (RFC 1035, section 4.1.1). Without a message,
/// nothing was answered. Whether plain DNS came over UDP or TCP is not logged.
extension LineParser {
    @inline(never)
    func adGuard(_ line: LogBytes) -> LogEvent {
        guard line[0] == 0x7b else { return line.isEmpty ? .noise : .unparsed }
        var event = LogEvent(.exchange)
        var members = JSONMembers(line)
        event.outcome.cache = .miss
        while members.next() { take(members, &event) }
        guard event.kind == .exchange, !members.isBroken else { return .unparsed }
        guard event.name.isKnown, event.type != 0, event.client != nil else { return .unparsed }
        if event.outcome.records == .unknown { event.kind = .silence }
        return event
    }

    private func take(_ members: JSONMembers, _ event: inout LogEvent) {
        let (key, value) = (members.key, members.value)
        if key.isText("QH") { event.name = LogName(value, .doubled) }
        if key.isText("QT") { event.type = types.number(value) }
        if key.isText("IP") { event.client = value.address }
        if key.isText("CP") { event.transport = Self.adGuardTransport(value) }
        if key.isText("Cached"), value.isText("true") { event.outcome.cache = .hit }
        if key.isText("Elapsed"), let nanoseconds = value.number { event.outcome.latency = nanoseconds }
        if key.isText("Answer"), !value.isEmpty { takeHeader(value, &event) }
    }

    private static func adGuardTransport(_ name: LogBytes) -> LogTransport {
        if name.isText("doh") { return .doh }
        if name.isText("dot") { return .dot }
        if name.isText("doq") { return .doq }
        return name.isText("dnscrypt") ? .dnscrypt : .unknown
    }

    /// The code is in the low half of byte 3, the number of records in bytes 6 and 7: the second and third groups of three.
    private func takeHeader(_ answer: LogBytes, _ event: inout LogEvent) {
        guard
            answer.count >= 16, let second = Self.group(answer, 4), let third = Self.group(answer, 8)
        else {
            event.kind = .unparsed
            return
        }
        event.outcome.code = Int16(truncatingIfNeeded: second >> 16 & 15)
        event.outcome.records = third >> 8 & 0xffff == 0 ? .none : .some
    }

    /// Three bytes from four characters of Base64 (RFC 4648, section 4).
    private static func group(_ text: LogBytes, _ start: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in start..<(start &+ 4) {
            let digit: UInt8
            switch text[index] {
            case 0x41...0x5a: digit = text[index] &- 0x41
            case 0x61...0x7a: digit = text[index] &- 0x47
            case 0x30...0x39: digit = text[index] &+ 4
            case 0x2b: digit = 62
            case 0x2f: digit = 63
            default: return nil
            }
            value = value << 6 | UInt32(digit)
        }
        return value
    }
}

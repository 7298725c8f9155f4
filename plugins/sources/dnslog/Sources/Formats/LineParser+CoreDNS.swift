internal import SondeWire

/// CoreDNS with the plugin `log`, formats common (the default) and combined, and what the plugin `errors` writes.
///
///     message  = [ "[INFO] " ] remote ":" port " - " id " " DQUOTE question DQUOTE " " code " " flags " " size " " duration "s"
///                [ " " DQUOTE opcode DQUOTE ]
///     question = type " " class " " name " " proto " " size " " do " " bufsize
///     message  =/ "[ERROR] plugin/errors: " code " " name " " type ": " failure
///     failure  = ( "read" | "write" | "dial" ) " " ( "udp" | "tcp" ) " " [ local "->" ] server ": " reason
///
/// Names are in the form of RFC 1035, with `\ ` for a space and `\"` for a quote. Code `-`: nothing was answered.
extension LineParser {
    @inline(always)
    func coreDNS(_ message: LogBytes) -> LogEvent {
        let start = message.has("[INFO] ") ? 7 : 0
        let remoteEnd = message.space(from: start)
        guard message.has(" - ", at: remoteEnd) else { return coreDNSRest(message) }
        let quote = message.space(from: remoteEnd &+ 3) &+ 1
        let typeEnd = message.space(from: quote)
        let nameStart = message.space(from: typeEnd &+ 1) &+ 1
        let nameEnd = Self.escapedEnd(message, nameStart)
        let protoEnd = message.space(from: nameEnd &+ 1)
        let closing = message.index(of: 0x22, from: protoEnd)
        let codeEnd = message.space(from: closing &+ 2)
        guard
            message[quote] == 0x22, typeEnd > quote &+ 1, nameEnd > nameStart, protoEnd > nameEnd &+ 1,
            message[closing &+ 1] == 0x20, codeEnd < message.count,
            let client = Self.endpoint(message.part(start, remoteEnd))
        else { return .unparsed }
        var event = LogEvent(.exchange)
        event.client = client
        event.type = types.number(message.part(quote &+ 1, typeEnd))
        event.name = LogName(message.part(nameStart, nameEnd), .escaped)
        event.transport = Self.coreDNSTransport(message.part(nameEnd &+ 1, protoEnd))
        return coreDNSOutcome(event, message, closing &+ 2, codeEnd)
    }

    @inline(always)
    private func coreDNSOutcome(_ query: LogEvent, _ message: LogBytes, _ code: Int, _ codeEnd: Int) -> LogEvent {
        var event = query
        if message.part(code, codeEnd).isText("-") {
            event.kind = .silence
            return event
        }
        let flagsEnd = message.space(from: codeEnd &+ 1)
        let sizeEnd = message.space(from: flagsEnd &+ 1)
        let durationEnd = message.space(from: sizeEnd &+ 1)
        guard
            let number = ResponseCodeName.code(message.part(code, codeEnd)), message[durationEnd &- 1] == 0x73,
            let latency = message.part(sizeEnd &+ 1, durationEnd &- 1).nanoseconds
        else { return .unparsed }
        event.outcome.code = number
        event.outcome.latency = latency
        return event
    }

    /// Where a name ends: at a space that is not escaped.
    @inline(always)
    private static func escapedEnd(_ message: LogBytes, _ start: Int) -> Int {
        var end = message.index(of: 0x20, from: start)
        while end < message.count, message[end &- 1] == 0x5c {
            var slashes = 0
            while end &- slashes > start, message[end &- slashes &- 1] == 0x5c { slashes &+= 1 }
            if slashes & 1 == 0 { return end }
            end = message.index(of: 0x20, from: end &+ 1)
        }
        return end
    }

    @inline(always)
    private static func coreDNSTransport(_ name: LogBytes) -> LogTransport {
        if name.isText("udp") { return .udp }
        if name.isText("tcp") { return .tcp }
        if name.isText("tls") { return .dot }
        if name.isText("https") || name.isText("https3") { return .doh }
        if name.isText("quic") { return .doq }
        return name.isText("grpc") ? .grpc : .unknown
    }

    @inline(never)
    private func coreDNSRest(_ message: LogBytes) -> LogEvent {
        if message.has("[ERROR] plugin/errors: ") { return coreDNSError(message) }
        let isLevel =
            message.has("[INFO] ") || message.has("[WARNING] ") || message.has("[ERROR] ") || message.has("[DEBUG] ")
            || message.has("[FATAL] ") || message.has("[NOTICE] ")
        return isLevel ? .noise : .unrelated
    }

    /// A line as `2 a.example. A: read udp 192.0.2.7:1->192.0.2.53:53: i/o timeout`.
    ///
    /// From left to right: a client chooses the name, which may look like a server.
    private func coreDNSError(_ message: LogBytes) -> LogEvent {
        let codeEnd = message.space(from: 23)
        let nameEnd = Self.escapedEnd(message, codeEnd &+ 1)
        let typeEnd = message.space(from: nameEnd &+ 1)
        guard message.part(23, codeEnd).number != nil, message[typeEnd &- 1] == 0x3a else { return .noise }
        let failure = message.from(typeEnd &+ 1)
        guard failure.has("read ") || failure.has("write ") || failure.has("dial ") else { return .noise }
        let networkEnd = failure.space(from: failure.space(from: 0) &+ 1)
        let end = failure.space(from: networkEnd &+ 1)
        let ends = failure.part(networkEnd &+ 1, end &- 1)
        var event = LogEvent(.upstreamFailure)
        event.server = ends.from(ends.find("->").map { $0 &+ 2 } ?? 0)
        guard failure[end &- 1] == 0x3a, Self.endpoint(event.server) != nil else { return .noise }
        if message.ends("timeout") {
            event.cause = .timeout
        } else if message.ends("connection refused") || message.ends("unreachable") {
            event.cause = .unreachable
        }
        return event
    }
}

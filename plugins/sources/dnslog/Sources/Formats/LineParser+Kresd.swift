/// Knot Resolver, with the layer `kresd.lua` that is shipped with this plugin: Knot Resolver itself has no query log.
///
///     message = *( "[" group "]" ) " [query] uid=" n " client=" address "#" port " proto=" ( "udp" | "tcp" | "tls" | "https" )
///               " qname=" name " qtype=" type " rcode=" ( code | "none" ) " cached=" ( "true" | "false" ) [ " size=" n ]
///               [ " us=" n ]
///
/// Names are in the form of RFC 1035 and have no spaces; `nil` means none. Code `none`: no answer was sent.
extension LineParser {
    @inline(__always)
    func kresd(_ message: LogBytes, _ event: inout LogEvent) {
        guard message[0] == 0x5b else {
            event = .unrelated
            return
        }
        guard let uid = message.part(0, 64 &+ 12).find("[query] uid=") else {
            event = Self.isKresdGroup(message) ? .noise : .unrelated
            return
        }
        var spaces = BytePlaces(of: 0x20, in: message, from: uid &+ 12)
        let client = spaces.next() &+ 1
        guard message.has("client=", at: client) else { return }
        let hash = message.index(of: 0x23, from: client)
        let proto = spaces.next() &+ 1
        let name = spaces.next() &+ 1
        let type = spaces.next() &+ 1
        let code = spaces.next() &+ 1
        let cached = spaces.next() &+ 1
        guard
            hash < proto, message.has("proto=", at: proto), message.has("qname=", at: name),
            message.has("qtype=", at: type),
            message.has("rcode=", at: code), message.has("cached=", at: cached)
        else { return }
        event.client = addresses.address(in: message, client &+ 7, hash)
        event.transport = Self.kresdTransport(message.part(proto &+ 6, name &- 1))
        event.name = LogName(message.part(name &+ 6, type &- 1), .escaped)
        event.type = types.number(in: message, type &+ 6, code &- 1)
        guard event.client != nil else { return }
        if event.name.bytes.isText("nil") {
            event.name = LogName()
            event.type = 0
        }
        kresdOutcome(message, code &+ 6, cached, &spaces, &event)
    }

    /// Whether a message begins with a group in lower case, as `[reqdbg]`: other lines of Knot Resolver do.
    private static func isKresdGroup(_ message: LogBytes) -> Bool {
        var index = 1
        while index <= 8, message[index] &- 0x61 < 26 { index &+= 1 }
        return index > 2 && message[index] == 0x5d
    }

    @inline(__always)
    private func kresdOutcome(
        _ message: LogBytes, _ code: Int, _ cached: Int, _ spaces: inout BytePlaces,
        _ event: inout LogEvent
    ) {
        let name = message.part(code, cached &- 1)
        if name.isText("none") {
            event.kind = .silence
            return
        }
        guard let number = ResponseCodeName.code(name) else { return }
        event.outcome.code = number
        let end = spaces.next()
        let value = message.part(cached &+ 7, end)
        guard value.isText("true") || value.isText("false") else { return }
        event.outcome.cache = value.isText("true") ? .hit : .miss
        var time = end
        while time < message.count, !message.has(" us=", at: time) { time = spaces.next() }
        if time < message.count {
            guard let millions = message.part(time &+ 4, spaces.next()).nanoseconds else { return }
            event.outcome.latency = millions == .max ? .max : millions / 1_000_000
        }
        event.kind = .exchange
    }

    @inline(__always)
    private static func kresdTransport(_ name: LogBytes) -> LogTransport {
        if name.isText("udp") { return .udp }
        if name.isText("tcp") { return .tcp }
        if name.isText("tls") { return .dot }
        return name.isText("https") ? .doh : .unknown
    }
}

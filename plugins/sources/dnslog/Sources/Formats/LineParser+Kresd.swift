/// Knot Resolver, with the layer `kresd.lua` that is shipped with this plugin: Knot Resolver itself has no query log.
///
///     message = *( "[" group "]" ) " [query] uid=" n " client=" address "#" port " proto=" ( "udp" | "tcp" | "tls" | "https" )
///               " qname=" name " qtype=" type " rcode=" ( code | "none" ) " cached=" ( "true" | "false" ) [ " size=" n ]
///               [ " us=" n ]
///
/// Names are in the form of RFC 1035 and have no spaces; `nil` means none. Code `none`: no answer was sent.
extension LineParser {
    @inline(always)
    func kresd(_ line: LogBytes, _ prefix: LogPrefix, _ take: (LogEvent) -> Void, _ rest: (LogEvent) -> Void) {
        let start = prefix.start
        guard let uid = Self.kresdQuery(line, start) else {
            guard line[start] == 0x5b, Self.isKresdGroup(line, start) else { return rest(.unrelated) }
            // Many, and of no meaning.
            return take(.noise)
        }
        var spaces = BytePlaces(of: 0x20, in: line, from: uid &+ 12)
        let client = spaces.next() &+ 1
        let proto = spaces.next() &+ 1
        let name = spaces.next() &+ 1
        let type = spaces.next() &+ 1
        let code = spaces.next() &+ 1
        let cached = spaces.next() &+ 1
        // As words: "client=", "proto=", "qname=", "qtype=", "rcode=" and "cached=".
        guard
            line.word(at: client) & 0xff_ffff_ffff_ffff == 0x3d_746e_6569_6c63,
            line.word(at: proto) & 0xffff_ffff_ffff == 0x3d6f_746f_7270,
            line.word(at: name) & 0xffff_ffff_ffff == 0x3d65_6d61_6e71,
            line.word(at: type) & 0xffff_ffff_ffff == 0x3d65_7079_7471,
            line.word(at: code) & 0xffff_ffff_ffff == 0x3d65_646f_6372,
            line.word(at: cached) & 0xff_ffff_ffff_ffff == 0x3d_6465_6863_6163
        else { return rest(.unparsed) }
        let hash = line.near(0x23, from: client &+ 7)
        guard hash < proto, let address = addresses.address(in: line, client &+ 7, hash) else {
            return rest(.unparsed)
        }
        var event = LogEvent(.exchange)
        event.client = address
        event.transport = Self.kresdTransport(line, proto &+ 6, name &- 1)
        // "nil "
        if line.word(at: name &+ 6) & 0xffff_ffff != 0x206c_696e {
            event.name = LogName(line.slice(name &+ 6, type &- 1), .escaped)
            event.type = types.number(in: line, type &+ 6, code &- 1)
        }
        // "none "
        if line.word(at: code &+ 6) & 0xff_ffff_ffff == 0x20_656e_6f6e {
            event.kind = .silence
            return rest(event)
        }
        guard Self.takeKresdOutcome(line, code &+ 6, cached, &spaces, &event.outcome) else { return rest(.unparsed) }
        take(event)
    }

    /// Where `[query] uid=` is near the beginning of a message that begins with a group; nil where it is not.
    @inline(always)
    private static func kresdQuery(_ message: LogBytes, _ start: Int) -> Int? {
        guard message[start] == 0x5b else { return nil }
        // It has the first equals sign, nearly always.
        var signs = BytePlaces(of: 0x3d, in: message, from: start)
        let end = start &+ 64 &+ 12
        while true {
            let sign = signs.next()
            guard sign < end, sign < message.count else { return nil }
            if sign &- 11 >= start, message.has("[query] uid=", at: sign &- 11) { return sign &- 11 }
        }
    }

    /// Whether a message begins with a group of two to eight letters in lower case, as `[reqdbg]`: other lines of Knot
    /// Resolver do.
    @inline(always)
    private static func isKresdGroup(_ line: LogBytes, _ start: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let high = ones &* 0x80
        let word = line.word(at: start &+ 1)
        let differences = word ^ (ones &* 0x5d)
        // The lowest bit is that of the first closing bracket.
        let brackets = (differences &- ones) & ~differences & high
        let length = brackets.trailingZeroBitCount &>> 3
        guard length >= 2, length < 8 || line[start &+ 9] == 0x5d else { return false }
        // The highest bit of each byte that is no letter.
        let low7 = word & ~high
        let others = word | ~(low7 &+ (ones &* 0x1f)) | (low7 &+ (ones &* 0x05))
        let mask = length < 8 ? (UInt64(1) &<< UInt64(truncatingIfNeeded: length &* 8)) &- 1 : .max
        return others & mask & high == 0
    }

    /// Whether the outcome whose code and `cached=` are at these places can be read.
    @inline(always)
    private static func takeKresdOutcome(
        _ line: LogBytes, _ code: Int, _ cached: Int, _ spaces: inout BytePlaces, _ outcome: inout LogEvent.Outcome
    ) -> Bool {
        guard let number = ResponseCodeName.code(in: line, code, cached &- 1) else { return false }
        outcome.code = number
        let end = spaces.next()
        // "true" and "false", of which the last byte ends what the line has of a word.
        let value = line.word(at: cached &+ 7)
        if end &- cached == 11, value & 0xffff_ffff == 0x6575_7274 {
            outcome.cache = .hit
        } else {
            guard end &- cached == 12, value & 0xff_ffff_ffff == 0x65_736c_6166 else { return false }
            outcome.cache = .miss
        }
        var time = end
        while time < line.count {
            // " us="
            guard line.word(at: time) & 0xffff_ffff == 0x3d73_7520 else {
                time = spaces.next()
                continue
            }
            guard let millions = line.part(time &+ 4, spaces.next()).nanoseconds else { return false }
            outcome.latency = millions == .max ? .max : millions / 1_000_000
            break
        }
        return true
    }

    @inline(always)
    private static func kresdTransport(_ line: LogBytes, _ start: Int, _ end: Int) -> LogTransport {
        // "udp ", nearly always.
        line.word(at: start) & 0xffff_ffff == 0x2070_6475 ? .udp : otherTransport(line.part(start, end))
    }

    @inline(never)
    private static func otherTransport(_ name: LogBytes) -> LogTransport {
        if name.isText("udp") { return .udp }
        if name.isText("tcp") { return .tcp }
        if name.isText("tls") { return .dot }
        return name.isText("https") ? .doh : .unknown
    }
}

internal import SondeWire

/// Where `client name type class` is, as a query and its reply have it.
struct UnboundQuestion {
    let start: Int
    let nameStart: Int
    let nameEnd: Int
    let typeEnd: Int
    /// Where the class ends.
    let end: Int

    /// Finds what begins at `start`, which is where `spaces` begin; those after the question are left in them.
    @inline(always)
    init(_ start: Int, _ spaces: inout BytePlaces) {
        self.start = start
        nameStart = spaces.next() &+ 1
        nameEnd = spaces.next()
        typeEnd = spaces.next()
        end = spaces.next()
    }

    /// The client, when all of the question is as it has to be; nil otherwise.
    @inline(always)
    func client(in text: LogBytes, _ addresses: borrowing KnownAddresses) -> IPAddress? {
        guard let client = addresses.address(in: text, start, nameStart &- 1) else { return nil }
        guard nameEnd > nameStart, end <= text.count, typeEnd > nameEnd &+ 1, end > typeEnd &+ 1 else { return nil }
        // A name ends with a dot, but for that of what has no question, and those that unbound cuts.
        guard text[nameEnd &- 1] == 0x2e || isEmpty(in: text) || Self.isOdd(text.slice(nameStart, nameEnd)) else {
            return nil
        }
        return client
    }

    /// Whether name, type and class may be dashes.
    @inline(always)
    var mayBeEmpty: Bool { nameEnd == nameStart &+ 1 }

    /// Whether name, type and class are dashes.
    @inline(always)
    func isEmpty(in text: LogBytes) -> Bool {
        mayBeEmpty && text[nameStart] == 0x2d && text.has("- - ", at: nameEnd &+ 1)
    }

    /// Whether the type is the one of what has no question.
    @inline(always)
    func isNull(in text: LogBytes) -> Bool {
        text.word(at: nameEnd &+ 1) & 0xffff_ffff_ffff == 0x2030_4550_5954
    }

    @inline(never)
    private static func isOdd(_ name: LogBytes) -> Bool {
        name.isText("null") || name.ends(".&") || name.ends(".#")
    }
}

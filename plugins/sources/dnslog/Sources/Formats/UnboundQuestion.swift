internal import SondeWire

/// `client name type class`, as a query and its reply have it.
struct UnboundQuestion {
    let client: IPAddress
    let start: Int
    let nameStart: Int
    let nameEnd: Int
    let typeEnd: Int
    /// Where the class ends.
    let end: Int
    /// Whether name, type and class are dashes.
    let isEmpty: Bool

    /// Reads what begins at `start`, which is where `spaces` begin; those after the question are left in them.
    @inline(__always)
    init?(
        _ text: LogBytes, _ start: Int, _ spaces: inout BytePlaces,
        _ addresses: borrowing KnownAddresses
    ) {
        self.start = start
        let clientEnd = spaces.next()
        guard let client = addresses.address(in: text, start, clientEnd) else { return nil }
        self.client = client
        nameStart = clientEnd &+ 1
        nameEnd = spaces.next()
        typeEnd = spaces.next()
        end = spaces.next()
        guard nameEnd > nameStart, typeEnd > nameEnd &+ 1, end > typeEnd &+ 1 else { return nil }
        isEmpty = text[nameStart] == 0x2d && nameEnd == nameStart &+ 1 && text.has("- - ", at: nameEnd &+ 1)
        if !isEmpty {
            // A name ends with a dot, but for that of what has no question, and those that unbound cuts.
            guard text[nameEnd &- 1] == 0x2e || Self.isOdd(text.part(nameStart, nameEnd)) else { return nil }
        }
    }

    @inline(never)
    private static func isOdd(_ name: LogBytes) -> Bool {
        name.isText("null") || name.ends(".&") || name.ends(".#")
    }
}

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

    @inline(__always)
    init?(_ text: LogBytes, _ start: Int) {
        self.start = start
        let clientEnd = text.space(from: start)
        guard let client = text.part(start, clientEnd).address else { return nil }
        self.client = client
        nameStart = clientEnd &+ 1
        nameEnd = text.index(of: 0x20, from: nameStart)
        typeEnd = text.space(from: nameEnd &+ 1)
        end = text.space(from: typeEnd &+ 1)
        guard nameEnd > nameStart, typeEnd > nameEnd &+ 1, end > typeEnd &+ 1 else { return nil }
        isEmpty = text[nameStart] == 0x2d && nameEnd == nameStart &+ 1 && text.has("- - ", at: nameEnd &+ 1)
        if !isEmpty {
            // A name ends with a dot, but for that of what has no question.
            guard text[nameEnd &- 1] == 0x2e || text.part(nameStart, nameEnd).isText("null") else { return nil }
        }
    }
}

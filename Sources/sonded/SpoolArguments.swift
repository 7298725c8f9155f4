/// What the commands about the spool were told.
struct SpoolArguments {
    private(set) var sink: String?
    private(set) var deadLetter: String?
    private(set) var from: UInt64?
    private(set) var to: UInt64?
    private(set) var limit: UInt64?
    private(set) var before: String?
    private(set) var isOfDeadLetters = false
    private(set) var isAll = false
    private(set) var isConfirmed = false

    /// Takes a word with its value; false: it is another's.
    mutating func take(_ word: String, from rest: inout ArraySlice<String>) throws(Arguments.Flaw) -> Bool {
        switch word {
        case "--sink": sink = try Arguments.value(of: word, from: &rest)
        case "--dead-letter": deadLetter = try Arguments.value(of: word, from: &rest)
        case "--before": before = try Arguments.value(of: word, from: &rest)
        case "--from": from = try Self.number(of: word, from: &rest)
        case "--to": to = try Self.number(of: word, from: &rest)
        case "--limit": limit = try Self.number(of: word, from: &rest)
        case "--dead-letters": isOfDeadLetters = true
        case "--all": isAll = true
        case "--yes": isConfirmed = true
        default: return false
        }
        return true
    }

    private static func number(of option: String, from rest: inout ArraySlice<String>) throws(Arguments.Flaw) -> UInt64
    {
        let text = try Arguments.value(of: option, from: &rest)
        guard let number = UInt64(text) else { throw Arguments.Flaw(message: "\(option) needs a number") }
        return number
    }
}

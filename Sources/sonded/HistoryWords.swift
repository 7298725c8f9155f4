internal import SondeFormats

/// What the commands about history were told.
struct HistoryWords {
    private static let members = [
        "--metric": "metric", "--member": "member", "--source": "source", "--range": "range", "--since": "from",
        "--until": "to", "--resolution": "resolution",
    ]

    /// What the agent is asked, as members of a request.
    private(set) var request: [JSONValue.Member] = []
    /// The format of an export, as the agent spells it.
    private(set) var format = "csv"
    /// Where an export goes; nil: to standard output.
    private(set) var output: String?

    /// Takes a word with its value; false: it is another's.
    mutating func take(_ word: String, from rest: inout ArraySlice<String>) throws(Arguments.Flaw) -> Bool {
        if let key = Self.members[word] {
            request.append(JSONValue.Member(key, .string(try Arguments.value(of: word, from: &rest))))
            return true
        }
        switch word {
        case "--as": format = try Arguments.value(of: word, from: &rest)
        case "--output": output = try Arguments.value(of: word, from: &rest)
        default: return false
        }
        return true
    }
}

/// The option `netns`: whose network is looked at.
enum NamespaceOption: Hashable {
    /// The agent's own namespace, or the one that the option `proc` leads to.
    case own
    /// That of a process.
    case process(Int32)
    /// One with a name, ip-netns(8).
    case named(String)

    /// The option as it is written: `self`, `pid:1`, `name:blue`; nil for anything else.
    init?(_ text: String) {
        if text == "self" {
            self = .own
        } else if let number = Self.rest(of: text, behind: "pid:") {
            guard let process = Int32(number), process > 0, number.utf8.first != UInt8(ascii: "+") else { return nil }
            self = .process(process)
        } else if let name = Self.rest(of: text, behind: "name:") {
            // It becomes a file's name.
            guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(where: { $0 == 0 || $0 == 0x2F }) else {
                return nil
            }
            self = .named(name)
        } else {
            return nil
        }
    }

    /// As it is written.
    var text: String {
        switch self {
        case .own: "self"
        case .process(let number): "pid:\(number)"
        case .named(let name): "name:\(name)"
        }
    }

    private static func rest(of text: String, behind word: String) -> String? {
        text.hasPrefix(word) ? String(text.dropFirst(word.count)) : nil
    }
}

/// What the daemon was asked to do.
///
/// `sonde` checks and spells the arguments; these are its few, fixed words.
struct Arguments {
    enum Format: String {
        case table
        case json
    }

    struct Flaw: Error {
        let message: String
    }

    static let usage = """
        usage: sonded COMMAND [NAME]
                      [--config FILE] [--plugin-dir DIR]… [--format table|json] [--quiet]
                      [--socket PATH] [--check]
                      [--sink ID] [--dead-letter NAME] [--from SEQ] [--to SEQ] [--limit N] [--before TIME]
                      [--dead-letters] [--all] [--yes]
                      [--metric WORD] [--member NAME] [--source ID] [--range SPAN] [--since TIME] [--until TIME]
                      [--resolution SPAN] [--as csv|json|ndjson|prometheus] [--output FILE]
        COMMAND is one of \(Command.allCases.map(\.rawValue).joined(separator: ", ")).
        People use 'sonde', which says more.
        """

    let command: Command
    private(set) var name: String?
    private(set) var configPath: String?
    private(set) var pluginDirectories: [String] = []
    private(set) var format = Format.table
    private(set) var isQuiet = false
    private(set) var socketPath: String?
    private(set) var isCheck = false
    private(set) var spool = SpoolArguments()
    private(set) var history = HistoryWords()

    init(_ words: [String]) throws(Flaw) {
        guard let first = words.first else { throw Flaw(message: "a command is missing") }
        guard let command = Command(rawValue: first) else { throw Flaw(message: "unknown command '\(first)'") }
        self.command = command
        var rest = words.dropFirst()
        while let word = rest.popFirst() {
            switch word {
            case "--config": configPath = try Self.value(of: word, from: &rest)
            case "--plugin-dir": pluginDirectories.append(try Self.value(of: word, from: &rest))
            case "--format":
                let text = try Self.value(of: word, from: &rest)
                guard let format = Format(rawValue: text) else { throw Flaw(message: "unknown format '\(text)'") }
                self.format = format
            case "--quiet": isQuiet = true
            case "--socket": socketPath = try Self.value(of: word, from: &rest)
            case "--check": isCheck = true
            default:
                if try spool.take(word, from: &rest) { continue }
                if try history.take(word, from: &rest) { continue }
                let isName = !word.hasPrefix("-") || command == .inspect && word == "-"
                guard command.needsName, name == nil, isName else {
                    throw Flaw(message: "unexpected argument '\(word)'")
                }
                name = word
            }
        }
        guard !command.needsName || name != nil else {
            throw Flaw(message: command == .inspect ? "the file's name is missing" : "the plugin's name is missing")
        }
    }

    static func value(of option: String, from rest: inout ArraySlice<String>) throws(Flaw) -> String {
        guard let value = rest.popFirst() else { throw Flaw(message: "\(option) needs a value") }
        return value
    }
}

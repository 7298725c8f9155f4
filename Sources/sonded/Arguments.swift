/// What the daemon was asked to do.
///
/// `sonde` checks and spells the arguments; these are its few, fixed words.
struct Arguments {
    enum Command: String, CaseIterable {
        case run
        case check
        case once
        case inspect
        case pluginsList = "plugins-list"
        case pluginsDescribe = "plugins-describe"
        case configShow = "config-show"
        case version
        case status
        case spoolStatus = "spool-status"
        case spoolList = "spool-list"
        case spoolShow = "spool-show"
        case spoolReplay = "spool-replay"
        case spoolPurge = "spool-purge"
        case history
        case export
        case snapshot
        case watch
        case retry
        case reload

        /// Whether a word without a dash belongs to it: a plugin's name, or a file's.
        var needsName: Bool { [.pluginsDescribe, .inspect, .retry].contains(self) }
    }

    enum Format: String {
        case table
        case json
    }

    struct Flaw: Error {
        let message: String
    }

    static let usage = """
        usage: sonded run|check|once|inspect FILE|plugins-list|plugins-describe NAME|config-show|version|status|spool-status
                      |spool-list|spool-show|spool-replay|spool-purge|history|export|snapshot|watch|retry NAME|reload
                      [--config FILE] [--plugin-dir DIR]… [--format table|json] [--quiet]
                      [--socket PATH] [--check]
                      [--sink ID] [--dead-letter NAME] [--from SEQ] [--to SEQ] [--limit N] [--before TIME]
                      [--dead-letters] [--all] [--yes]
                      [--metric WORD] [--member NAME] [--source ID] [--range SPAN] [--since TIME] [--until TIME]
                      [--resolution SPAN] [--as csv|json|ndjson|prometheus] [--output FILE]
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

internal import SondeEngine

/// The command of the daemon, in the syntax of `sonde`: `history --from TIME`, `spool list -c FILE`.
struct Arguments {
    enum Format: String {
        case table
        case json
    }

    struct Flaw: Error {
        let message: String
    }

    static let usage = """
        usage: sonded COMMAND [OPERAND] [OPTION]…
        COMMAND is one of \(Command.allCases.map(\.rawValue).joined(separator: ", ")).
        The options are those of 'sonde', and --quiet; 'sonde COMMAND --help' says what they are for.
        """

    let command: Command
    /// The word without a dash.
    private(set) var name: String?
    /// The words after it: the arguments of a program.
    private(set) var operands: [String] = []
    /// The value of `--format`, or its default.
    private(set) var formatWord: String
    private var values: [CommandOption: [String]] = [:]

    init(_ words: [String]) throws(Flaw) {
        var rest = words[...]
        command = try Self.command(from: &rest)
        formatWord = command.formats[0]
        try read(rest)
        guard name != nil || command.operand?.isRequired != true else {
            throw Flaw(message: "\(command.operand?.name ?? "a word") is missing")
        }
        if let text = self[.format] {
            guard command.formats.contains(text) else { throw Flaw(message: "unknown format '\(text)'") }
            formatWord = text
        }
        if let text = self[.sandbox], Sandbox(rawValue: text) == nil { throw Flaw(message: "unknown word '\(text)'") }
        try checkNumbers()
    }

    /// The value of an option, the last that was given.
    subscript(option: CommandOption) -> String? { values[option]?.last }

    /// The same with another configuration; nil: the built-in one.
    func reading(_ configuration: String?) -> Arguments {
        var other = self
        other.values[.configuration] = configuration.map { [$0] }
        return other
    }

    /// All values of an option, in their order.
    func all(_ option: CommandOption) -> [String] { values[option] ?? [] }

    /// Whether an option was given.
    func has(_ option: CommandOption) -> Bool { values[option] != nil }

    /// A command has one word or two.
    private static func command(from rest: inout ArraySlice<String>) throws(Flaw) -> Command {
        guard let first = rest.popFirst() else { throw Flaw(message: "a command is missing") }
        if first == "--version" { return .version }
        if let command = Command(rawValue: first) { return command }
        guard let second = rest.popFirst() else { throw Flaw(message: "unknown command '\(first)'") }
        guard let command = Command(rawValue: "\(first) \(second)") else {
            throw Flaw(message: "unknown command '\(first) \(second)'")
        }
        return command
    }

    private mutating func read(_ words: ArraySlice<String>) throws(Flaw) {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                for operand in rest { try take(operand) }
                return
            }
            // A single dash is standard input.
            guard word.hasPrefix("-"), word != "-" else {
                try take(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = CommandOption(word: parts[0]), command.options.contains(option) else {
                throw Flaw(message: "unexpected argument '\(word)'")
            }
            let joined = parts.count == 2 ? parts[1] : nil
            guard option.takesValue else {
                guard joined == nil else { throw Flaw(message: "\(option.rawValue) takes no value") }
                values[option, default: []].append("")
                continue
            }
            guard let value = joined ?? rest.popFirst() else { throw Flaw(message: "\(option.rawValue) needs a value") }
            values[option, default: []].append(value)
        }
    }

    private mutating func take(_ operand: String) throws(Flaw) {
        guard command.operand != nil, name == nil || command == .pluginsTest else {
            throw Flaw(message: "unexpected argument '\(operand)'")
        }
        if name == nil { name = operand } else { operands.append(operand) }
    }
}

extension Arguments {
    /// How an answer is printed.
    var format: Format { Format(rawValue: formatWord) ?? .table }
    var sandbox: Sandbox { self[.sandbox].flatMap(Sandbox.init) ?? .on }
    var configPath: String? { self[.configuration] }
    var pluginDirectories: [String] { all(.pluginDirectory) }
    var isQuiet: Bool { has(.quiet) }
    var socketPath: String? { self[.socket] }
    var isCheck: Bool { has(.check) }
}

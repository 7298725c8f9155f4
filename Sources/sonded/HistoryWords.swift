internal import SondeFormats

/// What the commands about history were told.
struct HistoryWords {
    private static let asked: [CommandOption] = [.metric, .member, .source, .range, .from, .to, .resolution]

    private let arguments: Arguments

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// What the agent is asked, as members of a request: they have the names of the options.
    var request: [JSONValue.Member] {
        Self.asked.compactMap { option in
            arguments[option].map { JSONValue.Member(String(option.rawValue.dropFirst(2)), .string($0)) }
        }
    }

    /// Where an export goes; nil: to standard output.
    var output: String? { arguments[.output] }
}

extension Arguments {
    var history: HistoryWords { HistoryWords(self) }
}

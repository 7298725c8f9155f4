internal import SondeFormats

/// The arguments of the commands about history.
struct HistoryWords {
    private static let asked: [CommandOption] = [.metric, .member, .source, .range, .from, .to, .resolution]

    private let arguments: Arguments

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// The members of the request to the agent: they have the names of the options.
    var request: [JSONValue.Member] {
        Self.asked.compactMap { option in
            arguments[option].map { JSONValue.Member(String(option.rawValue.dropFirst(2)), .string($0)) }
        }
    }

    /// The output file of an export; nil: standard output.
    var output: String? { arguments[.output] }
}

extension Arguments {
    var history: HistoryWords { HistoryWords(self) }
}

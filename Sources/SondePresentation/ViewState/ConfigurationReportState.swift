import SondeDomain
public import SondeEngine

/// The problems of a configuration as they are shown.
public struct ConfigurationReportState: Hashable, Sendable {
    /// One problem.
    public struct Entry: Hashable, Sendable {
        /// `file:line:column: error[code]: message; suggestion`, or `message. Suggestion` where it is a sentence.
        public let heading: String
        /// Its line and a caret below its place; nil when there is no such line.
        public let excerpt: SourceExcerpt?
    }

    /// The problems in the order of their places.
    public let entries: [Entry]
    /// How many of them keep the agent from starting.
    public let errorCount: Int
    /// How many of them do not.
    public let warningCount: Int

    /// The report on what was loaded.
    public init(_ loaded: LoadedConfiguration) {
        let texts = Dictionary(loaded.texts.map { ($0.file, $0) }) { first, _ in first }
        entries = loaded.problems.map { problem in
            Entry(
                heading: Self.heading(of: problem),
                excerpt: texts[problem.mark.file].flatMap { SourceExcerpt(of: $0, at: problem.mark) }
            )
        }
        errorCount = loaded.problems.count { $0.severity == .error }
        warningCount = loaded.problems.count - errorCount
    }

    private static func heading(of problem: ConfigurationProblem) -> String {
        let suggestion = problem.suggestion.map { RecoveryAction.separator(before: $0) + $0 } ?? ""
        let place = "\(problem.mark): \(problem.severity.rawValue)[\(problem.code)]: "
        return HarmlessText.line(place + problem.message + suggestion)
    }
}

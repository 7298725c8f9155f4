internal import SondeDomain
public import SondeEngine

/// What `sonde plugins test` shows.
public struct PluginTestState: Hashable, Sendable {
    /// How a rule ended, in a word.
    public enum Result: String, Hashable, Sendable {
        /// The plugin keeps it.
        case pass
        /// It does not.
        case fail
        /// It was not checked.
        case skipped
    }

    /// One rule.
    public struct Row: Hashable, Sendable {
        /// Its stable name.
        public var name: String
        /// How it ended.
        public var result: Result
        /// What was expected.
        public var expected: String
        /// What was seen, or why it was not checked; empty for a rule that is kept.
        public var seen: String
        /// What to do about it.
        public var advice: String
        /// How long it took.
        public var milliseconds: Int64
    }

    /// The plugin's name.
    public var plugin: String
    /// Its file; empty when it could not be loaded.
    public var path: String
    /// The rules in order.
    public var rows: [Row]
    /// The rule that was not checked and without which nothing is shown; empty: there is none.
    public var unproven: String

    /// The state for a report.
    public init<Rule: TestRule>(_ report: PluginTestReport<Rule>) {
        plugin = report.plugin
        path = report.path
        rows = report.verdicts.map { verdict in
            let (result, seen): (Result, String) =
                switch verdict.outcome {
                case .passed: (.pass, "")
                case .failed(let seen): (.fail, seen)
                case .skipped(let reason): (.skipped, reason)
                }
            return Row(
                name: verdict.rule.rawValue, result: result, expected: verdict.rule.expectation,
                seen: HarmlessText.line(seen), advice: verdict.rule.advice,
                milliseconds: verdict.duration.value / 1_000_000)
        }
        let unproven = report.verdicts.first { verdict in
            if case .skipped = verdict.outcome { verdict.rule.isEssential } else { false }
        }
        self.unproven = unproven?.rule.rawValue ?? ""
    }

    /// How many rules ended so.
    public func count(_ result: Result) -> Int { rows.count { $0.result == result } }
}

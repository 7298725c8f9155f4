public import SondeDomain

/// What `sonde plugins test` found, by the rules for objects or by those for programs.
public struct PluginTestReport<Rule: TestRule>: Hashable, Sendable {
    /// How a rule ended.
    public enum Outcome: Hashable, Sendable {
        /// The plugin keeps it.
        case passed
        /// It does not; what was seen.
        case failed(String)
        /// It was not checked; why.
        case skipped(String)
    }

    /// One rule and how it ended.
    public struct Verdict: Hashable, Sendable {
        /// The rule.
        public let rule: Rule
        /// How it ended.
        public let outcome: Outcome
        /// How long it took.
        public let duration: Nanoseconds

        /// A verdict.
        public init(_ rule: Rule, _ outcome: Outcome, duration: Nanoseconds = .zero) {
            (self.rule, self.outcome, self.duration) = (rule, outcome, duration)
        }
    }

    /// The plugin's name.
    public let plugin: String
    /// Its file; empty when it could not be loaded.
    public let path: String
    /// Every rule that is for its kind, in order.
    public let verdicts: [Verdict]

    /// A report.
    public init(plugin: String, path: String, verdicts: [Verdict]) {
        (self.plugin, self.path, self.verdicts) = (plugin, path, verdicts)
    }

    /// Whether no rule failed, and those were kept without which nothing is shown.
    public var isPassed: Bool {
        let isBroken = verdicts.contains { if case .failed = $0.outcome { true } else { false } }
        return !isBroken && verdicts.contains { $0.rule.isEssential && $0.outcome == .passed }
    }
}

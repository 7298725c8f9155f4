public import SondeDomain

/// What `sonde plugins test` found.
public struct PluginTestReport: Hashable, Sendable {
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
        public let rule: PluginRule
        /// How it ended.
        public let outcome: Outcome
        /// How long it took.
        public let duration: Nanoseconds

        /// A verdict.
        public init(_ rule: PluginRule, _ outcome: Outcome, duration: Nanoseconds = .zero) {
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

    /// Whether no rule failed.
    public var isPassed: Bool {
        verdicts.allSatisfy { if case .failed = $0.outcome { false } else { true } }
    }
}

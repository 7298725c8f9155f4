/// One option of a plugin: what the host validates, defaults and documents.
public struct OptionDefinition: Hashable, Sendable {
    /// What values an option takes.
    public enum ValueType: Hashable, Sendable {
        /// Any text.
        case string
        /// One of these words.
        case choice([String])
        /// `true` or `false`.
        case bool
        /// A whole number.
        case integer(ClosedRange<Int64>)
        /// A finite number.
        case double(ClosedRange<Double>)
        /// `10s`, `1m30s`; the range is in nanoseconds.
        case duration(ClosedRange<Nanoseconds>)
        /// `64MiB`, `10kB`, `512`; the range is in bytes.
        case size(ClosedRange<Int64>)
        /// A list of strings.
        case list
        /// A map from string to string.
        case map
        /// A list of mappings, each with these members; none of them is `entries` itself.
        case entries([OptionDefinition])
    }

    /// What becomes of an option when the agent saves.
    public struct Saving: Hashable, Sendable {
        /// From which step on.
        public let step: SavingStep
        /// The value that is used then unless the configured one costs less, as it would be written in YAML: a smaller number,
        /// an earlier word of a choice, `false`.
        public let valueText: String

        /// A value from a step on.
        public init(_ step: SavingStep, _ valueText: String) {
            self.step = step
            self.valueText = valueText
        }
    }

    /// The key; nested keys are joined with dots, `tls.ca_file`.
    public let key: String
    /// What values it takes.
    public let type: ValueType
    /// The default as it would be written in YAML; nil when there is none.
    public let defaultText: String?
    /// Whether the option must be set.
    public let isRequired: Bool
    /// Whether its value must never be shown.
    public let isSecret: Bool
    /// What it does, in one sentence.
    public let help: String
    /// A value for the documentation, as it would be written in YAML.
    public let example: String?
    /// What becomes of it when the agent saves; nil: nothing.
    public let saving: Saving?

    /// An option.
    public init(
        _ key: String,
        _ type: ValueType,
        default defaultText: String? = nil,
        required isRequired: Bool = false,
        secret isSecret: Bool = false,
        help: String,
        example: String? = nil,
        saving: Saving? = nil
    ) {
        self.key = key
        self.type = type
        self.defaultText = defaultText
        self.isRequired = isRequired
        self.isSecret = isSecret
        self.help = help
        self.example = example
        self.saving = saving
    }
}

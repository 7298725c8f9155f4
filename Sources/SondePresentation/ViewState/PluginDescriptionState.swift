public import SondeDomain

/// What `sonde plugins describe NAME` shows.
public struct PluginDescriptionState: Hashable, Sendable {
    /// One option, with its type and default as a person would write them.
    public struct Option: Hashable, Sendable {
        /// The dotted key.
        public var key: String
        /// `string`, `duration (100ms to 1h)`, `json | influx`.
        public var type: String
        /// The default, `required`, or empty.
        public var fallback: String
        /// What it does.
        public var help: String
    }

    /// The plugin's description of itself.
    public var descriptor: PluginDescriptor
    /// The file it was loaded from.
    public var path: String
    /// Its options.
    public var options: [Option]

    /// The state for a plugin.
    public init(_ descriptor: PluginDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
        options = descriptor.options.flatMap { option -> [Option] in
            guard case .entries(let members) = option.type else { return [Option(option)] }
            return [Option(option)] + members.map { Option($0, below: option.key + "[].") }
        }
    }
}

extension PluginDescriptionState.Option {
    fileprivate init(_ option: OptionDefinition, below prefix: String = "") {
        self.init(
            key: prefix + option.key,
            type: option.typeText,
            fallback: option.isRequired ? "required" : option.defaultText ?? "",
            help: option.help
        )
    }
}

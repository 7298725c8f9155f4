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

    /// What the plugin says of itself.
    public var descriptor: PluginDescriptor
    /// The file it was loaded from.
    public var path: String
    /// Its options.
    public var options: [Option]

    /// The state for a plugin.
    public init(_ descriptor: PluginDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
        options = descriptor.options.map { option in
            Option(
                key: option.key,
                type: Self.type(of: option),
                fallback: option.isRequired ? "required" : option.defaultText ?? "",
                help: option.help
            )
        }
    }

    private static func type(of option: OptionDefinition) -> String {
        let type =
            switch option.type {
            case .string: "string"
            case .choice(let words): words.joined(separator: " | ")
            case .bool: "true | false"
            case .integer(let range): "integer \(range.lowerBound) to \(range.upperBound)"
            case .double(let range): "number \(range.lowerBound) to \(range.upperBound)"
            case .duration: "duration"
            case .size: "size"
            case .list: "list"
            case .map: "map"
            }
        return option.isSecret ? "\(type), secret" : type
    }
}

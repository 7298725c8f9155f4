import SondeDomain
public import SondeEngine

extension ConfigurationState {
    /// The state of a checked configuration.
    public init(_ configuration: AgentConfiguration) {
        agent = Self.settings(of: configuration.agent)
        sources = configuration.sources.map(Self.entry)
        sinks = configuration.sinks.map(Self.entry)
    }

    private static func entry(_ instance: some InstanceConfiguration) -> [Setting] {
        [
            Setting("id", YAMLText.scalar(instance.id), .file),
            Setting("plugin", YAMLText.scalar(instance.plugin), .file),
        ] + settings(of: instance) + settings(of: instance.options)
    }

    private static func settings<Section: ConfigurationSection>(of section: Section) -> [Setting] {
        let marks = MarkedPaths(section.marks)
        return Section.keys.map { option in
            let key = option.definition.key
            switch (option.value(section), option.unset) {
            case (let value?, .inherited): return marks.setting(key, value, unset: .inherited)
            case (let value?, _): return marks.setting(key, value)
            case (nil, .words(let words)): return Setting(key, "", .unset(words))
            case (nil, _): return Setting(key, "", .unset(""))
            }
        }
    }

    private static func settings(of options: OptionValues) -> [Setting] {
        let marks = MarkedPaths(options.marks)
        // By components, so that the keys of one section are adjacent.
        let paths = options.values.keys.sorted { left, right in
            left.split(separator: ".").lexicographicallyPrecedes(right.split(separator: "."))
        }
        return paths.compactMap { path in
            options.values[path].map { marks.setting(path, $0, references: options.references) }
        }
    }
}

/// The paths that a file sets.
private struct MarkedPaths {
    let marks: [String: SourceMark]

    init(_ marks: [String: SourceMark]) {
        self.marks = marks
    }

    func setting(
        _ path: String, _ value: OptionValues.Value, references: [String: String] = [:],
        unset: ConfigurationState.Origin = .standard
    ) -> ConfigurationState.Setting {
        ConfigurationState.Setting(
            path, value.yaml(path, references), marks[path] == nil && !hasInner(path) ? unset : .file)
    }

    // Sections that several files give have marks of their keys only.
    private func hasInner(_ path: String) -> Bool {
        marks.keys.contains { $0.hasPrefix(path + ".") }
    }
}

extension OptionValues.Value {
    /// The value as YAML on one line; secrets and what looks like one are masked, and of a text that contains references
    /// the references are shown.
    fileprivate func yaml(_ path: String, _ references: [String: String]) -> String {
        func shown(_ text: String, _ suffix: String = "") -> String {
            let reference = references[path + suffix].map { SecretHint.withoutCredentials($0) }
            return reference.map(YAMLText.reference) ?? YAMLText.scalar(SecretHint.withoutCredentials(text))
        }
        return switch self {
        case .string(let text): shown(text)
        case .secret: Self.masked
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .duration(let span): DurationText.text(of: span)
        case .size(let bytes): SizeText.text(of: bytes)
        case .list(let items): YAMLText.list(items.enumerated().map { shown($1, "[\($0)]") })
        case .map(let pairs):
            YAMLText.mapping(
                pairs.map { pair in
                    (pair.name, SecretHint.isLikelyKey(pair.name) ? Self.masked : shown(pair.value, ".\(pair.name)"))
                })
        }
    }

    private static var masked: String { "\"\(Secret(""))\"" }
}

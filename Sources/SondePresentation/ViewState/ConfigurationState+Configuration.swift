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
            case (let value?, .inherited): return marks.setting(key, value.yaml(key, [:]), unset: .inherited)
            case (let value?, _): return marks.setting(key, value.yaml(key, [:]))
            case (nil, .words(let words)): return Setting(key, "", .unset(words))
            case (nil, _): return Setting(key, "", .unset(""))
            }
        }
    }

    private static func settings(of options: OptionValues) -> [Setting] {
        let marks = MarkedPaths(options.marks)
        let entries = EntryPaths(options)
        // By components, so that the keys of one section are adjacent.
        let paths = options.values.keys.filter { !EntryPaths.isMember($0) }.sorted { left, right in
            left.split(separator: ".").lexicographicallyPrecedes(right.split(separator: "."))
        }
        return paths.compactMap { path in
            options.values[path].map { value in
                guard case .entries(let count) = value else {
                    return marks.setting(path, value.yaml(path, options.references))
                }
                return marks.setting(path, entries.yaml(path, count))
            }
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
        _ path: String, _ value: String, unset: ConfigurationState.Origin = .standard
    ) -> ConfigurationState.Setting {
        ConfigurationState.Setting(path, value, marks[path] == nil && !hasInner(path) ? unset : .file)
    }

    // Sections that several files give have marks of their keys only.
    private func hasInner(_ path: String) -> Bool {
        marks.keys.contains { $0.hasPrefix(path + ".") }
    }
}

/// The members of the entries of lists of mappings.
private struct EntryPaths {
    private let options: OptionValues
    /// By entry, `targets[2]`: the paths of its members.
    private let members: [Substring: [String]]

    init(_ options: OptionValues) {
        self.options = options
        members = Dictionary(grouping: options.values.keys.filter(Self.isMember)) { $0.prefix { $0 != "]" } }
    }

    static func isMember(_ path: String) -> Bool { path.utf8.contains(UInt8(ascii: "[")) }

    /// The entries of an option as YAML on one line.
    func yaml(_ path: String, _ count: Int) -> String {
        YAMLText.list(
            (0..<count).map { index in
                let entry = "\(path)[\(index)"
                let paths = members[entry[...], default: []].sorted()
                return YAMLText.mapping(
                    paths.map { path in
                        (
                            String(path.dropFirst(entry.count + 2)),
                            options.values[path]?.yaml(path, options.references) ?? ""
                        )
                    })
            })
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
        // Of their members it is made.
        case .entries: YAMLText.list([])
        case .map(let pairs):
            YAMLText.mapping(
                pairs.map { pair in
                    (pair.name, SecretHint.isLikelyKey(pair.name) ? Self.masked : shown(pair.value, ".\(pair.name)"))
                })
        }
    }

    private static var masked: String { "\"\(Secret(""))\"" }
}

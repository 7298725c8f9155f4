import SondeDomain
public import SondeEngine

extension ConfigurationState {
    /// The state of a checked configuration, and where it comes from.
    public init(_ configuration: AgentConfiguration, _ provenance: ConfigurationProvenance = .init()) {
        let agent = MarkedPaths(configuration.agent.marks, provenance)
        self.agent = Self.settings(of: configuration.agent, provenance, agent)
        sources = configuration.sources.map { Self.entry($0, provenance, agent) }
        sinks = configuration.sinks.map { Self.entry($0, provenance, agent) }
        host = HarmlessText.line(provenance.host)
        files = provenance.files.map(HarmlessText.line)
        leftOut = provenance.leftOut.map { "\(Place.line(of: $0.mark)): \($0.part): \($0.reason)" }.map(
            HarmlessText.line)
    }

    private static func entry(
        _ instance: some InstanceConfiguration, _ provenance: ConfigurationProvenance, _ agent: MarkedPaths
    ) -> [Setting] {
        let marks = MarkedPaths(instance.options.marks, provenance)
        return [
            marks.setting("id", YAMLText.scalar(instance.id), unset: .file),
            marks.setting("plugin", YAMLText.scalar(instance.plugin), unset: .file),
        ] + settings(of: instance, provenance, agent) + settings(of: instance.options, marks)
    }

    /// A value of the agent that is used where the section has none has the agent's place.
    private static func settings<Section: ConfigurationSection>(
        of section: Section, _ provenance: ConfigurationProvenance, _ agent: MarkedPaths
    ) -> [Setting] {
        let marks = MarkedPaths(section.marks, provenance)
        return Section.keys.map { option in
            let key = option.definition.key
            switch (option.value(section), option.unset) {
            case (let value?, .inherited):
                let setting = marks.setting(key, value.yaml(key, section.references), unset: .inherited)
                guard setting.origin == .inherited else { return setting }
                return Setting(key, setting.value, .inherited, at: agent.place(of: key))
            case (let value?, _): return marks.setting(key, value, section.references)
            case (nil, .words(let words)): return Setting(key, "", .unset(words))
            case (nil, _): return Setting(key, "", .unset(""))
            }
        }
    }

    private static func settings(of options: OptionValues, _ marks: MarkedPaths) -> [Setting] {
        let entries = EntryPaths(options)
        // By components, so that the keys of one section are adjacent.
        let paths = options.values.keys.filter { !EntryPaths.isMember($0) }.sorted { left, right in
            left.split(separator: ".").lexicographicallyPrecedes(right.split(separator: "."))
        }
        return paths.compactMap { path in
            options.values[path].map { value in
                guard case .entries(let count) = value else {
                    return marks.setting(path, value, options.references)
                }
                return marks.setting(path, entries.yaml(path, count))
            }
        }
    }
}

/// The paths that a file sets, and their places.
private struct MarkedPaths {
    private let marks: [String: SourceMark]
    private let provenance: ConfigurationProvenance

    init(_ marks: [String: SourceMark], _ provenance: ConfigurationProvenance) {
        self.marks = marks
        self.provenance = provenance
    }

    /// A value; of a map also its members.
    func setting(
        _ path: String, _ value: OptionValues.Value, _ references: [String: String]
    ) -> ConfigurationState.Setting {
        let setting = setting(path, value.yaml(path, references))
        guard case .map(let pairs) = value, setting.origin == .file else { return setting }
        let members = zip(pairs, value.members(path, references)).map { pair, shown in
            ConfigurationState.Setting(
                YAMLText.key(pair.name), shown.value, .file, at: place(of: "\(path).\(pair.name)"))
        }
        return ConfigurationState.Setting(path, setting.value, .file, at: setting.place, members: members)
    }

    func setting(
        _ path: String, _ value: String, unset: ConfigurationState.Origin = .standard
    ) -> ConfigurationState.Setting {
        let isSet = marks[path] != nil || hasInner(path)
        return ConfigurationState.Setting(path, value, isSet ? .file : unset, at: isSet ? place(of: path) : nil)
    }

    /// The place of a value; nil where no file gives it as a whole.
    func place(of path: String) -> ConfigurationState.Place? {
        guard let mark = marks[path] else { return nil }
        let inner = marks.filter { $0.key.hasPrefix("\(path)[") }.sorted { $0.key < $1.key }.map(\.value)
        var references: [String] = []
        for name in ([mark] + inner).flatMap({ provenance.references[$0] ?? [] }) where !references.contains(name) {
            references.append(name)
        }
        return ConfigurationState.Place(
            ConfigurationState.Place.line(of: mark), references: references.map(HarmlessText.line),
            replaced: (provenance.replaced[mark] ?? []).map(ConfigurationState.Place.line))
    }

    // Sections that several files give have marks of their keys only.
    private func hasInner(_ path: String) -> Bool {
        marks.keys.contains { $0.hasPrefix(path + ".") }
    }
}

extension ConfigurationState.Place {
    fileprivate static func line(of mark: SourceMark) -> String { HarmlessText.line("\(mark.file):\(mark.line)") }
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
        switch self {
        case .string(let text): Self.shown(text, path, references)
        case .secret: Self.masked
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .duration(let span): DurationText.text(of: span)
        case .size(let bytes): SizeText.text(of: bytes)
        case .list(let items): YAMLText.list(items.enumerated().map { Self.shown($1, "\(path)[\($0)]", references) })
        // Of their members it is made.
        case .entries: YAMLText.list([])
        case .map: YAMLText.mapping(members(path, references))
        }
    }

    /// The values of a map as YAML by key.
    fileprivate func members(_ path: String, _ references: [String: String]) -> [(key: String, value: String)] {
        guard case .map(let pairs) = self else { return [] }
        return pairs.map { pair in
            let shown = Self.shown(pair.value, "\(path).\(pair.name)", references)
            return (pair.name, SecretHint.isLikelyKey(pair.name) ? Self.masked : shown)
        }
    }

    private static func shown(_ text: String, _ path: String, _ references: [String: String]) -> String {
        let reference = references[path].map { SecretHint.withoutCredentials($0) }
        return reference.map(YAMLText.reference) ?? YAMLText.scalar(SecretHint.withoutCredentials(text))
    }

    private static var masked: String { "\"\(Secret(""))\"" }
}

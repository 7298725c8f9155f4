import SondeDomain
import SondeEngine

/// Reads the entries of `sources:` or `sinks:`.
struct ComponentReader {
    let kind: PluginDescriptor.Kind
    let catalog: any PluginCatalog
    let reading: ConfigurationReading
    let selection: HostSelection

    /// One entry that is enabled and belongs to a known plugin.
    struct Component {
        let id: String
        let plugin: String
        /// The keys that every source or sink has.
        let common: OptionReader
        let options: OptionValues
    }

    /// The result of reading the section.
    struct Section {
        var components: [Component] = []
        /// What is not disabled, faulty entries and sections included.
        var enabledCount = 0
        /// Where the section begins, if it is there.
        var mark: SourceMark?
    }

    private var key: String { kind == .source ? "sources" : "sinks" }
    private var definitions: [OptionDefinition] {
        kind == .source ? ConfigurationSchema.source : ConfigurationSchema.sink
    }

    func read(_ ids: inout IdentifierRegister) -> Section {
        var section = Section()
        var merger = EntryMerger(kind.rawValue, reading, selection)
        for entry in reading.activeFiles.compactMap({ $0.entry(key) }) {
            section.mark = section.mark ?? entry.keyMark
            guard let items = items(of: entry) else {
                section.enabledCount += 1
                continue
            }
            for node in items { merger.add(node) }
        }
        for node in merger.nodes { read(node, &section, &ids) }
        return section
    }

    /// Nil when it is not a list.
    private func items(of entry: YAMLEntry) -> [YAMLNode]? {
        if entry.value.isNull { return [] }
        if case .sequence(let items) = entry.value.content { return items }
        reading.report(
            .wrongStructure, at: entry.value.mark, "'\(key)' must be a list, not \(entry.value.formName)",
            suggestion: "write '- id: …' for each \(kind.rawValue)")
        return nil
    }

    private func read(_ node: YAMLNode, _ section: inout Section, _ ids: inout IdentifierRegister) {
        guard case .mapping(let entries) = node.content else {
            section.enabledCount += 1
            reading.report(
                .wrongStructure, at: node.mark, "a \(kind.rawValue) must be a mapping, not \(node.formName)",
                suggestion: "write '- id: …'")
            return
        }
        let identityKeys = ConfigurationSchema.identity.map(\.key)
        var identity = OptionReader(
            owner: owner(of: entries), at: node.mark, ConfigurationSchema.identity, reading)
        identity.read(entries.filter { identityKeys.contains($0.key) })
        let id = identity.values.string("id")
        if let id { ids.add(id, of: kind, at: identity.marks["id"] ?? node.mark) }
        let isEnabled = identity.values.bool("enabled") ?? true
        if isEnabled {
            section.enabledCount += 1
        } else {
            reading.leaveOut(kind.rawValue, id, at: node.mark, "'enabled' is false")
        }

        let descriptor = isEnabled ? descriptor(identity, entries.plainText("isolation")) : nil
        let rest = entries.filter { !identityKeys.contains($0.key) }
        let unknownKeys: OptionReader.UnknownKeys = !isEnabled ? .skip : descriptor == nil ? .ignore : .report
        let (common, options) = read(rest, identity, descriptor?.options ?? [], unknownKeys)
        guard let descriptor, let id else { return }
        section.components.append(Component(id: id, plugin: descriptor.name, common: common, options: options))
    }

    /// The keys of every entry and the plugin's own are read separately: a plugin cannot redefine a common key.
    private func read(
        _ entries: [YAMLEntry],
        _ identity: OptionReader,
        _ pluginOptions: [OptionDefinition],
        _ unknownKeys: OptionReader.UnknownKeys
    ) -> (common: OptionReader, options: OptionValues) {
        let commonKeys = Set(definitions.map { $0.key.prefix { $0 != "." } }.map(String.init))
        let identityKeys = ConfigurationSchema.identity.map(\.key)
        var common = OptionReader(owner: identity.owner, at: identity.ownerMark, definitions, reading)
        common.read(entries.filter { commonKeys.contains($0.key) })
        let own = pluginOptions.filter { option in
            let first = String(option.key.prefix { $0 != "." })
            return !commonKeys.contains(first) && !identityKeys.contains(first)
        }
        var options = OptionReader(owner: identity.owner, at: identity.ownerMark, own, reading)
        options.otherKeys = commonKeys.sorted() + identityKeys.map { String($0.prefix { $0 != "." }) }
        options.unknownKeys = unknownKeys
        options.read(entries.filter { !commonKeys.contains($0.key) })
        var marks = options.marks
        for key in identityKeys { marks[key] = identity.marks[key] }
        marks.merge(common.marks) { own, _ in own }
        return (common, OptionValues(options.values, marks: marks, references: options.references))
    }

    private func descriptor(_ identity: OptionReader, _ isolation: String?) -> PluginDescriptor? {
        guard let name = identity.values.string("plugin") else { return nil }
        let mark = identity.marks["plugin"] ?? identity.ownerMark
        let lookup = PluginLookup(catalog: catalog, reading: reading)
        return lookup.descriptor(
            of: name, isolation: isolation.flatMap { Isolation(rawValue: $0) }, as: kind, at: mark)
    }

    /// The entry in words, as far as it can be identified.
    private func owner(of entries: [YAMLEntry]) -> String {
        let id = entries.plainText("id").map { " \(Shown.text($0))" } ?? ""
        let plugin = entries.plainText("plugin").map { " (\($0))" } ?? ""
        return kind.rawValue + id + plugin
    }
}

extension [YAMLEntry] {
    /// A short, harmless value of a key; nil when it is anything else.
    func plainText(_ key: String) -> String? {
        guard let entry = first(where: { $0.key == key }), case .scalar(let scalar) = entry.value.content else {
            return nil
        }
        return IdentifierText.isValid(scalar.text) ? scalar.text : nil
    }
}

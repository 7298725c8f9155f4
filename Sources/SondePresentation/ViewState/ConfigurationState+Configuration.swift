import SondeDomain
public import SondeEngine

extension ConfigurationState {
    /// The state of a checked configuration.
    public init(_ configuration: AgentConfiguration) {
        agent = Self.settings(of: configuration.agent)
        sources = configuration.sources.map(Self.settings)
        sinks = configuration.sinks.map(Self.settings)
    }

    private static func settings(of agent: AgentSettings) -> [Setting] {
        let marks = MarkedPaths(agent.marks)
        return ConfigurationSchema.agentOptions.map { option in
            let key = option.definition.key
            return option.value(agent).map { marks.setting(key, $0) } ?? Setting(key, "", .unset(option.unset ?? ""))
        }
    }

    private static func settings(of source: SourceConfiguration) -> [Setting] {
        let marks = MarkedPaths(source.marks)
        return [
            Setting("id", YAMLText.scalar(source.id), .file),
            Setting("plugin", YAMLText.scalar(source.plugin), .file),
            marks.setting("interval", .duration(source.interval), unset: .inherited),
            marks.setting("labels", .map(source.labels)),
            source.seriesLimit.map { marks.setting("series_limit", .integer(Int64($0))) }
                ?? Setting("series_limit", "", .unset("what the plugin says")),
        ] + settings(of: source.options)
    }

    private static func settings(of sink: SinkConfiguration) -> [Setting] {
        let marks = MarkedPaths(sink.marks)
        return [
            Setting("id", YAMLText.scalar(sink.id), .file),
            Setting("plugin", YAMLText.scalar(sink.plugin), .file),
            marks.setting("batch.samples", .integer(Int64(sink.batch.samples))),
            marks.setting("batch.bytes", .size(sink.batch.bytes)),
            sink.batch.wait.map { marks.setting("batch.wait", .duration($0)) }
                ?? Setting("batch.wait", "", .unset("1s for a durable sink, 200ms for a live one")),
            marks.setting("retry.base", .duration(sink.retry.base)),
            marks.setting("retry.cap", .duration(sink.retry.cap)),
            marks.setting("on_auth_error", .string(sink.onAuthError.rawValue)),
            marks.setting("dead_letter.max_bytes", .size(sink.deadLetterMaxBytes)),
            sink.send.map { marks.setting("send", .list($0.words)) }
                ?? Setting("send", "", .unset("what the plugin prefers")),
            marks.setting("metrics.include", .list(sink.metrics.include)),
            marks.setting("metrics.exclude", .list(sink.metrics.exclude)),
        ] + settings(of: sink.options)
    }

    private static func settings(of options: OptionValues) -> [Setting] {
        let marks = MarkedPaths(options.marks)
        // By components, so that the keys of one section stand together.
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
    /// The value as YAML on one line; secrets and what looks like one are masked, and of a text that references stand in
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

extension SendContent {
    fileprivate var words: [String] {
        ConfigurationSchema.sendWords.filter { contains($0.content) }.map(\.word)
    }
}

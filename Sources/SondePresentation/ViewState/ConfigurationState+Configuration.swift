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
        return [
            marks.setting("interval", .duration(agent.interval)),
            marks.setting("labels", .map(agent.labels)),
            marks.setting("host", agent.host, orElse: "the machine's own name"),
            marks.setting("state_dir", agent.stateDirectory, orElse: "nothing is kept over a restart"),
            marks.setting("control_socket", agent.controlSocket.text, orElse: "sonde.sock in the runtime directory"),
            marks.setting("plugin_dirs", .list(agent.pluginDirectories)),
            marks.setting("shutdown_grace", .duration(agent.shutdownGrace)),
            marks.setting("log.level", .string(agent.logLevel.name)),
            marks.setting("log.format", .string(agent.logFormat.rawValue)),
            agent.spoolMaxBytes.map { marks.setting("spool.max_bytes", .size($0)) }
                ?? Setting("spool.max_bytes", "", .unset("256MiB on disk, 16MiB in memory")),
            marks.setting("spool.max_age", .duration(agent.spoolMaxAge)),
            agent.spoolMinFree.map { marks.setting("spool.min_free", .size($0)) }
                ?? Setting("spool.min_free", "", .unset("the smaller of 5 % and 100MiB")),
            marks.setting("spool.sync", .string(agent.spoolSync.rawValue)),
            marks.setting("spool.overflow", .string(agent.overflow.rawValue)),
            marks.setting("history.max_bytes", .size(agent.historyMaxBytes)),
        ]
    }

    private static func settings(of source: SourceConfiguration) -> [Setting] {
        let marks = MarkedPaths(source.marks)
        return [
            Setting("id", YAMLText.scalar(source.id), .file),
            Setting("plugin", YAMLText.scalar(source.plugin), .file),
            marks.setting("interval", .duration(source.interval), unset: .inherited),
            marks.setting("labels", .map(source.labels)),
            source.seriesLimit.map { marks.setting("series_limit", .integer(Int64($0))) }
                ?? marks.setting("series_limit", nil, orElse: "what the plugin says"),
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

    func setting(_ path: String, _ text: String?, orElse words: String) -> ConfigurationState.Setting {
        text.map { setting(path, .string($0)) } ?? ConfigurationState.Setting(path, "", .unset(words))
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

extension AgentSettings.ControlSocket {
    /// As the file has it; nil when nothing is set.
    fileprivate var text: String? {
        switch self {
        case .standard: nil
        case .none: "none"
        case .path(let path): path
        }
    }
}

extension SendContent {
    fileprivate var words: [String] {
        ConfigurationSchema.sendWords.filter { contains($0.content) }.map(\.word)
    }
}

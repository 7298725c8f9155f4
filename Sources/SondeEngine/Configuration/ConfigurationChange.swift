public import SondeDomain

/// What another configuration changes in the one in force: instances by `id`, and keys of `agent:`.
public struct ConfigurationChange: Sendable {
    /// What becomes of the instances of one kind; ids in the order of the configuration that has them.
    public struct Instances: Hashable, Sendable {
        /// They are the same.
        public var kept: [String] = []
        /// They are new.
        public var added: [String] = []
        /// Something that they work with differs.
        public var changed: [String] = []
        /// They are configured no longer.
        public var removed: [String] = []

        /// Whether every instance stays as it is.
        public var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty }
    }

    /// The other configuration.
    public let next: CheckedConfiguration
    /// The sources.
    public let sources: Instances
    /// The sinks.
    public let sinks: Instances
    /// Keys of `agent:` that differ and hold for the life of the process.
    public let fixedKeys: [String]
    /// Keys of `agent:` that differ and can change while the agent runs, but for those that only sources work with.
    public let liveKeys: [String]

    /// What `next` changes in `current`.
    public init(from current: CheckedConfiguration, to next: CheckedConfiguration) {
        self.next = next
        let (before, after) = (current.configuration, next.configuration)
        sources = Self.instances(from: before.sources, to: after.sources, \.id) { old, new in
            old.isSame(as: new)
                && current.pluginFiles[old.plugin] == next.pluginFiles[new.plugin]
        }
        sinks = Self.instances(from: before.sinks, to: after.sinks, \.id) { old, new in
            old.isSame(as: new) && current.pluginFiles[old.plugin] == next.pluginFiles[new.plugin]
        }
        fixedKeys = Self.keys(.fixed, before.agent, after.agent)
        liveKeys = Self.keys(.live, before.agent, after.agent)
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { sources.isEmpty && sinks.isEmpty && liveKeys.isEmpty && fixedKeys.isEmpty }

    private static func instances<Instance>(
        from before: [Instance],
        to after: [Instance],
        _ id: (Instance) -> String,
        isSame: (Instance, Instance) -> Bool
    ) -> Instances {
        let old = Dictionary(before.map { (id($0), $0) }) { first, _ in first }
        var result = Instances()
        for instance in after {
            guard let known = old[id(instance)] else {
                result.added.append(id(instance))
                continue
            }
            if isSame(known, instance) { result.kept.append(id(instance)) } else { result.changed.append(id(instance)) }
        }
        let names = Set(after.map(id))
        result.removed = before.map(id).filter { !names.contains($0) }
        return result
    }

    private static func keys(
        _ reload: ConfigurationOption<AgentSettings>.Reload,
        _ old: AgentSettings,
        _ new: AgentSettings
    ) -> [String] {
        ConfigurationSchema.agentOptions.filter { $0.reload == reload && !$0.isSame(old, new) }.map(\.definition.key)
    }
}

extension SourceConfiguration {
    /// The labels of its points, the agent's that it does not set itself among them; in no order, since that means nothing.
    public func effectiveLabels(_ agent: AgentSettings) -> Set<Attribute> {
        let own = Set(labels.map(\.name))
        return Set(agent.labels.filter { !own.contains($0.name) } + labels)
    }

    fileprivate func isSame(as other: SourceConfiguration) -> Bool {
        plugin == other.plugin && interval == other.interval && seriesLimit == other.seriesLimit
            && Set(labels) == Set(other.labels) && options.values == other.options.values
    }
}

extension SinkConfiguration {
    fileprivate func isSame(as other: SinkConfiguration) -> Bool {
        plugin == other.plugin && batch == other.batch && retry == other.retry && onAuthError == other.onAuthError
            && deadLetterMaxBytes == other.deadLetterMaxBytes && send == other.send && metrics == other.metrics
            && options.values == other.options.values
    }
}

public import SondeDomain

/// What another configuration changes in the one in force: instances by `id`, and keys of `agent:`.
public struct ConfigurationChange: Sendable {
    /// How the instances of one kind change; ids in the order of the configuration that has them.
    public struct Instances: Hashable, Sendable {
        /// They are the same.
        public var kept: [String] = []
        /// They are new.
        public var added: [String] = []
        /// Something that they use differs.
        public var changed: [String] = []
        /// They are no longer configured.
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
    /// Keys of `agent:` that differ and can change while the agent runs, except those that only sources use.
    public let liveKeys: [String]

    /// What `next` changes in `current`.
    public init(from current: CheckedConfiguration, to next: CheckedConfiguration) {
        self.next = next
        let (before, after) = (current.configuration, next.configuration)
        func isSame<Instance: InstanceConfiguration>(_ old: Instance, _ new: Instance) -> Bool {
            old.plugin == new.plugin && old.options.values == new.options.values && old.differences(from: new).isEmpty
                && current.pluginFiles[old.plugin] == next.pluginFiles[new.plugin]
        }
        sources = Self.instances(from: before.sources, to: after.sources) {
            isSame($0, $1) && $0.collected == $1.collected
        }
        sinks = Self.instances(from: before.sinks, to: after.sinks, isSame)
        let keys = before.agent.differences(from: after.agent)
        fixedKeys = keys.filter { $0.reload == .fixed }.map(\.definition.key)
        liveKeys = keys.filter { $0.reload == .live }.map(\.definition.key)
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { sources.isEmpty && sinks.isEmpty && liveKeys.isEmpty && fixedKeys.isEmpty }

    /// The ids of the sources and sinks that are made for it: added and changed ones.
    public var coming: Set<String> { Set(sinks.added + sinks.changed + sources.added + sources.changed) }

    private static func instances<Instance: InstanceConfiguration>(
        from before: [Instance],
        to after: [Instance],
        _ isSame: (Instance, Instance) -> Bool
    ) -> Instances {
        let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        var result = Instances()
        for instance in after {
            guard let known = old[instance.id] else {
                result.added.append(instance.id)
                continue
            }
            if isSame(known, instance) { result.kept.append(instance.id) } else { result.changed.append(instance.id) }
        }
        let names = Set(after.map(\.id))
        result.removed = before.map(\.id).filter { !names.contains($0) }
        return result
    }
}

extension SourceConfiguration {
    /// The labels of its points, those of the agent that it does not set included; in no order.
    public func effectiveLabels(_ agent: AgentSettings) -> Set<Attribute> {
        let own = Set(labels.map(\.name))
        return Set(agent.labels.filter { !own.contains($0.name) } + labels)
    }
}

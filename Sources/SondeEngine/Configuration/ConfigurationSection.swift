public import SondeDomain

/// A part of the configuration whose keys are defined in one list.
///
/// Checking, reading, comparing at a reload, `config show` and the tables of docs/configuration.md follow from the list.
public protocol ConfigurationSection: Sendable {
    /// The keys, in the order in which they are shown.
    static var keys: [ConfigurationOption<Self>] { get }
    /// The place of each value that a file sets, by dotted path.
    var marks: [String: SourceMark] { get set }
    /// The text as the file has it, by dotted path, of values that contain references; their values may be secret.
    var references: [String: String] { get set }
}

/// An entry of `sources:` or `sinks:`.
public protocol InstanceConfiguration: ConfigurationSection {
    /// Unique among sources and sinks.
    var id: String { get }
    /// The plugin's name.
    var plugin: String { get }
    /// Where it runs; nil: as is usual for a plugin from its directory.
    var isolation: Isolation? { get }
    /// Whether it is confined; nil: where its plugin is made for it.
    var sandbox: Sandbox? { get }
    /// What its processes may use.
    var limits: ProcessLimits { get set }
    /// The plugin's own options.
    var options: OptionValues { get }
}

extension ConfigurationSection {
    /// Sets values by key, which fit their definitions; missing keys are unchanged.
    public mutating func set(_ options: OptionValues) {
        marks = options.marks
        references = options.references
        for key in Self.keys {
            if let value = options.values[key.definition.key] { key.set(&self, value) }
        }
    }

    /// The keys of which another has other values.
    func differences(from other: Self) -> [ConfigurationOption<Self>] {
        Self.keys.filter { !$0.isSame(self, other) }
    }
}

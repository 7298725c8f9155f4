/// A plugin's description of itself, before any instance exists.
///
/// `sonde check`, `sonde plugins describe`, the documentation and the sample file all come from it.
public struct PluginDescriptor: Hashable, Sendable {
    /// What a plugin does.
    public enum Kind: String, Hashable, Sendable {
        /// Produces samples.
        case source
        /// Delivers batches.
        case sink
    }

    /// How much change to expect.
    public enum Stability: String, Hashable, Sendable {
        /// Options and metrics may change in any release.
        case experimental
        /// Options and metrics change with notice only.
        case stable
    }

    /// What a sink promises.
    public enum Delivery: String, Hashable, Sendable {
        /// Resumes where it stopped and holds the log until it has delivered.
        case durable
        /// Starts at the tail and never holds the log.
        case live
    }

    /// Where a source looks, which decides what its figures can be compared with.
    public enum View: String, Hashable, Sendable {
        /// The kernel's own counters.
        case kernel
        /// Packets as they pass an interface.
        case wire
        /// What a program writes down of its work.
        case log
    }

    /// One error that the plugin can report.
    public struct ErrorDefinition: Hashable, Sendable {
        /// The stable code.
        public let code: String
        /// What it means, in one sentence.
        public let meaning: String
        /// What a person can do, in one sentence.
        public let recovery: String

        /// An error definition.
        public init(_ code: String, meaning: String, recovery: String) {
            self.code = code
            self.meaning = meaning
            self.recovery = recovery
        }
    }

    /// `[a-z][a-z0-9_]{0,31}`, the same in file name and symbol.
    public let name: String
    /// Source or sink.
    public let kind: Kind
    /// The plugin's own version.
    public let version: String
    /// What it does, in one sentence.
    public let summary: String
    /// How much change to expect.
    public let stability: Stability
    /// Privileges, libraries and files it needs, one phrase each.
    public let needs: [String]
    /// Whether it needs a capability: an instance that does not gets none of the agent's.
    public var needsCapability: Bool { needs.contains { Self.namesCapability($0) } }
    private static func namesCapability(_ need: String) -> Bool {
        let (text, name) = (Array(need.utf8), Array("CAP_".utf8))
        return text.indices.contains { text[$0...].starts(with: name) }
    }

    /// Lines of the section `[Service]` that a systemd unit without privileges lacks for it: `AmbientCapabilities=CAP_NET_RAW`.
    public let unit: [String]
    /// Its options.
    public let options: [OptionDefinition]
    /// Its metrics; empty for a sink.
    public let metrics: [MetricDefinition]
    /// The errors it can report.
    public let errors: [ErrorDefinition]
    /// Sinks only.
    public let delivery: Delivery?
    /// Sinks: whether they learn of series that have ended.
    public let ends: Bool
    /// Sources: what they read; empty when not declared.
    public let sees: Set<View>
    /// Sources: how many series an instance may have open unless the configuration sets it; nil: the agent's own bound.
    public let seriesLimit: Int?

    /// A descriptor.
    public init(
        name: String,
        kind: Kind,
        version: String,
        summary: String,
        stability: Stability = .stable,
        needs: [String] = [],
        unit: [String] = [],
        options: [OptionDefinition] = [],
        metrics: [MetricDefinition] = [],
        errors: [ErrorDefinition] = [],
        delivery: Delivery? = nil,
        ends: Bool = false,
        sees: Set<View> = [],
        seriesLimit: Int? = nil
    ) {
        self.name = name
        self.kind = kind
        self.version = version
        self.summary = summary
        self.stability = stability
        self.needs = needs
        self.unit = unit
        self.options = options
        self.metrics = metrics
        self.errors = errors
        self.delivery = delivery
        self.ends = ends
        self.sees = sees
        self.seriesLimit = seriesLimit
    }
}

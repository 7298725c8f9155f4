/// One line of a plugin's metric catalog.
public struct MetricDefinition: Hashable, Sendable {
    /// The name in OpenTelemetry spelling.
    public let name: String
    /// How values are to be read.
    public let kind: MetricKind
    /// UCUM as OpenTelemetry uses it; empty when there is none.
    public let unit: String
    /// The names of the attributes its series carry.
    public let attributes: [String]
    /// What it measures, in one sentence.
    public let meaning: String
    /// From which level on its series are sent, unless a series has another one.
    public let level: MetricLevel

    /// A definition.
    public init(
        _ name: String,
        _ kind: MetricKind,
        unit: String,
        attributes: [String] = [],
        meaning: String,
        level: MetricLevel = .core
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.attributes = attributes
        self.meaning = meaning
        self.level = level
    }

    /// The same metric at another level.
    public func at(_ level: MetricLevel) -> MetricDefinition {
        MetricDefinition(name, kind, unit: unit, attributes: attributes, meaning: meaning, level: level)
    }
}

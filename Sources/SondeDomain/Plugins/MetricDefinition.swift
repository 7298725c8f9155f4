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

    /// A definition.
    public init(_ name: String, _ kind: MetricKind, unit: String, attributes: [String] = [], meaning: String) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.attributes = attributes
        self.meaning = meaning
    }
}

/// What a source declares about a series when it opens it.
public struct SeriesSpecification: Hashable, Sendable {
    /// The metric's name in OpenTelemetry spelling.
    public var name: String
    /// How values are to be read.
    public var kind: MetricKind
    /// UCUM as OpenTelemetry uses it; empty when there is none.
    public var unit: String
    /// What distinguishes it from the other series of its metric, sorted by name.
    public var attributes: [Attribute]
    /// Counters and histograms: when the count was zero, if known.
    public var start: Timestamp?
    /// Counters: 32 or 64 when the width is known.
    public var counterBits: Int?
    /// What the metric measures, in one sentence, when the catalog lacks it; may be empty.
    public var meaning: String
    /// From which level of its source on it is sent; nil: that of its metric in the catalog.
    public var level: MetricLevel?

    /// A specification; attributes are sorted here.
    public init(
        name: String,
        kind: MetricKind,
        unit: String,
        attributes: [Attribute] = [],
        start: Timestamp? = nil,
        counterBits: Int? = nil,
        meaning: String = "",
        level: MetricLevel? = nil
    ) {
        self.name = name
        self.kind = kind
        self.unit = unit
        self.attributes = attributes.sorted()
        self.start = start
        self.counterBits = counterBits
        self.meaning = meaning
        self.level = level
    }
}

/// A metric name with its attributes: what a stream of points belongs to.
///
/// Immutable and shared.
public final class Series: Sendable {
    /// Stays the same for the life of the process.
    public let id: SeriesID
    /// The `id` of the source that reports it.
    public let source: String
    /// The metric's name in OpenTelemetry spelling.
    public let name: String
    /// How values are to be read.
    public let kind: MetricKind
    /// UCUM as OpenTelemetry uses it; empty when there is none.
    public let unit: String
    /// What distinguishes it from the other series of its metric, sorted by name.
    public let attributes: [Attribute]
    /// Labels of the source, sorted by name; those of the agent are in the resource of a batch.
    public let labels: [Attribute]
    /// One sentence about the metric, for a sink whose format has room for it; empty when not known.
    ///
    /// No part of a batch's content: it may differ when a batch is offered again after a restart.
    public let meaning: String

    /// A series; attributes and labels are sorted here.
    public init(
        id: SeriesID,
        source: String,
        name: String,
        kind: MetricKind,
        unit: String,
        attributes: [Attribute] = [],
        labels: [Attribute] = [],
        meaning: String = ""
    ) {
        self.id = id
        self.source = source
        self.name = name
        self.kind = kind
        self.unit = unit
        self.attributes = Self.sorted(attributes)
        self.labels = Self.sorted(labels)
        self.meaning = meaning
    }

    /// The same array where it is sorted already: series share it with its maker.
    private static func sorted(_ attributes: [Attribute]) -> [Attribute] {
        let isSorted = zip(attributes, attributes.dropFirst()).allSatisfy { $0 <= $1 }
        return isSorted ? attributes : attributes.sorted()
    }

    /// The same series under another number.
    public func numbered(_ id: SeriesID) -> Series {
        Series(
            id: id, source: source, name: name, kind: kind, unit: unit, attributes: attributes, labels: labels,
            meaning: meaning)
    }

    /// The value of an attribute, or nil.
    public func attribute(_ name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}

internal import SondeDomain

/// What two series of one source have in common that are one: all but the number.
struct SeriesLikeness: Hashable {
    private let name: String
    private let kind: MetricKind
    private let unit: String
    private let attributes: [Attribute]
    private let labels: [Attribute]

    init(_ series: Series) {
        name = series.name
        kind = series.kind
        unit = series.unit
        attributes = series.attributes
        labels = series.labels
    }
}

public import SondeDomain

/// Which series are queried.
public struct SeriesQuery: Hashable, Sendable {
    /// Globs over names, of which one must match; empty: every name.
    public let names: [String]
    /// The `id` of the source that reports them; nil: any.
    public let source: String?
    private let globs: GlobFilter

    /// A question for series of these names and that source.
    public init(names: [String] = [], source: String? = nil) {
        self.names = names
        self.source = source
        globs = GlobFilter(include: names, exclude: [])
    }

    /// Whether a series matches.
    public func passes(_ series: Series) -> Bool {
        (source == nil || source == series.source) && globs.passes(series.name)
    }

    /// Whether both are equal.
    public static func == (one: SeriesQuery, other: SeriesQuery) -> Bool {
        one.names == other.names && one.source == other.source
    }

    /// Hashes the conditions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(names)
        hasher.combine(source)
    }
}

internal import SondeDomain

/// Which metrics a sink gets, by glob on the metric's name; see ``GlobFilter``.
public struct MetricGlobFilter: Sendable {
    private let globs: GlobFilter

    /// A filter as configured.
    public init(_ filter: SinkConfiguration.MetricFilter) {
        globs = GlobFilter(include: filter.include, exclude: filter.exclude)
    }

    /// Whether a metric of that name passes.
    public func passes(_ name: String) -> Bool { globs.passes(name) }
}

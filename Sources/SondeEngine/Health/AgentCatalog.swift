public import SondeDomain

/// What the agent reports about itself, in the form of a plugin's descriptor.
public enum AgentCatalog {
    /// The `id` of the agent as the source of its own points; no source or sink can have it.
    public static let source = "agent"

    /// Its metrics, each of which is defined only here.
    public static let metrics: [MetricDefinition] = AgentMetric.allCases.map(\.definition)

    /// The descriptor of its points.
    static let descriptor = PluginDescriptor(
        name: source, kind: .source, version: "", summary: "Reports the agent's own health.", metrics: metrics)
}

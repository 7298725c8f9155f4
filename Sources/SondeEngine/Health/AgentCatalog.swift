public import SondeDomain

/// What the agent reports of itself, as a plugin's descriptor says it of a plugin.
public enum AgentCatalog {
    /// The `id` of the agent as the source of its own points; no source or sink can have it.
    public static let source = "agent"

    /// Its metrics, of which each is defined here alone.
    public static let metrics: [MetricDefinition] = AgentMetric.allCases.map(\.definition)

    /// The descriptor of its points.
    static let descriptor = PluginDescriptor(
        name: source, kind: .source, version: "", summary: "Reports the agent's own health.", metrics: metrics)
}

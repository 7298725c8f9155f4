/// What every point of a batch has in common: the host, and the agent's version and labels.
public struct Resource: Hashable, Sendable {
    /// The host that the agent runs on; nil when switched off.
    public var host: String?
    /// The version of the agent; empty when not known.
    public var agentVersion: String
    /// The labels of the agent, sorted by name.
    public var labels: [Attribute]

    /// A resource; labels are sorted here.
    public init(host: String? = nil, agentVersion: String = "", labels: [Attribute] = []) {
        self.host = host
        self.agentVersion = agentVersion
        self.labels = labels.sorted()
    }

    /// The labels of a series together with those of the agent, sorted by name; of two of one name the series' own.
    public func allLabels(of series: Series) -> [Attribute] {
        guard !labels.isEmpty else { return series.labels }
        let own = Set(series.labels.map(\.name))
        return (series.labels + labels.filter { !own.contains($0.name) }).sorted()
    }
}

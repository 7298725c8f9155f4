public import SondeDomain
public import SondeFormats

/// What `sonde explain` shows of a metric.
public struct ExplanationState: Sendable {
    /// The plugin that a metric is from.
    public struct Origin: Hashable, Sendable {
        /// The plugin's name; `agent` of the agent itself.
        public var plugin: String
        /// What it reads.
        public var sees: Set<PluginDescriptor.View>
        /// The line of its catalog.
        public var definition: MetricDefinition

        /// A plugin with its catalog's line.
        public init(_ descriptor: PluginDescriptor, _ definition: MetricDefinition) {
            self.init(plugin: descriptor.name, sees: descriptor.sees, definition)
        }

        /// What a name stands for that is no plugin's.
        public init(plugin: String, sees: Set<PluginDescriptor.View> = [], _ definition: MetricDefinition) {
            self.plugin = plugin
            self.sees = sees
            self.definition = definition
        }
    }

    /// What a running agent says.
    public struct Agent: Sendable {
        /// The last points of the series that are meant, as the control socket answers them.
        public var series: [JSONValue]
        /// What history has of them over the last day; nil: the agent keeps none.
        public var day: [HistoryState.Series]?

        /// The answers of an agent; series of other members are left out.
        public init(series: [JSONValue], day: [HistoryState.Series]?) {
            self.series = series
            self.day = day
        }
    }

    /// Whether a sink of a configuration gets it.
    public struct Sink: Hashable, Sendable {
        /// The answer.
        public enum Share: String, Hashable, Sendable {
            /// Every series of it.
            case all
            /// Those that `relabel` of the sink lets through.
            case some
            /// None.
            case none
        }

        /// The sink.
        public var id: String
        /// How much of it.
        public var share: Share

        /// A sink and its share.
        public init(id: String, share: Share) {
            self.id = id
            self.share = share
        }
    }

    /// The metric.
    public var metric: String
    /// The value of an attribute; nil: all of its series.
    public var member: String?
    /// Every plugin whose catalog has it.
    public var origins: [Origin]
    /// The running agent; nil: none answered.
    public var agent: Agent?
    /// The sinks of the configuration; nil: none was named.
    public var sinks: [Sink]?
    /// The time that ages are counted from.
    public var now: Timestamp

    /// What is known of a metric without an agent.
    public init(_ metric: String, member: String?, origins: [Origin], at now: Timestamp) {
        self.metric = metric
        self.member = member
        self.origins = origins
        self.now = now
    }

    /// When it is bad, and what that means.
    public var advice: [MetricAdvice] { MetricAdvice.about(metric, member: member) }

    /// What is known of the member, where that is a reason for which packets are dropped.
    public var reason: DropAdvice? {
        guard metric == "sonde.drop.packet.count" else { return nil }
        return member.flatMap { DropAdvice(on: $0) }
    }
}

extension ExplanationState {
    /// Whether a point of the control socket is of a member, the value of one of its attributes.
    public static func isMember(_ item: JSONValue, _ member: String?) -> Bool {
        guard let member else { return true }
        return (item["attributes"]?.asObject ?? []).contains { $0.value.asString == member }
    }

    /// What history keeps of a point's series.
    public static func kept(of item: JSONValue) -> [HistorySeries] {
        guard let name = item["name"]?.asString, let source = item["source"]?.asString else { return [] }
        let attributes = (item["attributes"]?.asObject ?? []).compactMap { member in
            member.value.asString.map { Attribute(member.key, $0) }
        }
        let series = Series(
            id: SeriesID(rawValue: 0), source: source, name: name, kind: .gauge, unit: "", attributes: attributes)
        return HistoryCatalog.contributions(of: series).map(\.series)
    }
}

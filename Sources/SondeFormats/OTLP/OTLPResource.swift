internal import SondeDomain

/// What an OTLP sink adds to what the agent says of itself.
public struct OTLPSettings: Sendable {
    /// `service.name`; empty: none.
    public var serviceName: String
    /// Globs: the attributes of the resource with these names are on each data point too.
    public var resourceToAttributes: [String]
    /// What counters and histograms of batches are; the encoder only says it.
    public var temporality: OTLPTemporality

    /// The settings of a sink.
    public init(
        serviceName: String = "sonde", resourceToAttributes: [String] = [], temporality: OTLPTemporality = .cumulative
    ) {
        self.serviceName = serviceName
        self.resourceToAttributes = resourceToAttributes
        self.temporality = temporality
    }
}

/// What a value of a counter or a histogram counts; the words of the option `temporality`.
public enum OTLPTemporality: String, CaseIterable, Sendable {
    /// Since the start of the series.
    case cumulative
    /// Since the point before.
    case delta
}

/// The attributes of an OTLP resource and of data points.
///
/// Names are unique, of two of one name the first stays; empty values are left out. Names and values beyond 1,024 bytes are
/// cut and end in a hash of the whole: VictoriaMetrics drops longer ones without a word.
struct OTLPAttributes {
    /// The agent: service, host, and the labels of `agent`.
    let resource: [Attribute]
    private let onPoints: [Attribute]

    init(_ resource: Resource, agent: String, _ settings: OTLPSettings) {
        let own = [
            Attribute("service.name", settings.serviceName), Attribute("service.instance.id", agent),
            Attribute("service.version", resource.agentVersion), Attribute("host.name", resource.host ?? ""),
        ]
        self.resource = Self.unique(own + resource.labels)
        let filter = GlobFilter(include: settings.resourceToAttributes, exclude: [])
        onPoints = settings.resourceToAttributes.isEmpty ? [] : self.resource.filter { filter.passes($0.name) }
    }

    /// The attributes of a series' data points: its own, the labels of its source, and those copied from the resource.
    func points(of series: Series) -> [Attribute] {
        Self.unique(series.attributes + series.labels + onPoints)
    }

    private static func unique(_ attributes: [Attribute]) -> [Attribute] {
        var names: Set<String> = []
        return attributes.filter { !$0.name.isEmpty && !$0.value.isEmpty && names.insert($0.name).inserted }
            .map { Attribute(PrometheusSeries.bounded($0.name), PrometheusSeries.bounded($0.value)) }
    }
}

extension ByteBuffer {
    /// Appends `KeyValue` messages with texts, each as a field with this tag.
    mutating func append(tag: UInt8, keyValues attributes: [Attribute]) {
        for attribute in attributes {
            let (name, value) = (attribute.name.utf8.count, attribute.value.utf8.count)
            append(tag)
            append(varint: UInt64(Self.fieldLength(name) + Self.fieldLength(Self.fieldLength(value))))
            append(tag: 0x0a, attribute.name)
            append(0x12)
            append(varint: UInt64(Self.fieldLength(value)))
            append(tag: 0x0a, attribute.value)
        }
    }
}

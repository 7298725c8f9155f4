/// How the values of a series are to be read.
public enum MetricKind: UInt32, Hashable, Sendable, CaseIterable {
    /// Cumulative and monotonic; may reset to zero.
    case counter = 1
    /// A sum that goes both ways, like sockets in use.
    case upDown = 2
    /// An instantaneous reading.
    case gauge = 3
    /// A cumulative histogram with explicit bounds.
    case histogram = 4
    /// Constant 1; the attributes are the message.
    case info = 5

    /// How often sinks get a sample of an info metric, which is the same each time, where it is collected more often.
    public static let infoPeriod = Nanoseconds.seconds(60)

    /// The word that configuration, JSON and documentation use.
    public var name: String {
        switch self {
        case .counter: "counter"
        case .upDown: "updown"
        case .gauge: "gauge"
        case .histogram: "histogram"
        case .info: "info"
        }
    }

    /// The kind with that word, or nil.
    public init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

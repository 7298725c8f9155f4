internal import SondeDomain
internal import SondePluginKit

/// What people make of two counters anyway, made from the steps of one interval.
struct CounterRatios {
    private static let udpLossMeaning =
        "Of the datagrams that came for a socket those that its full receive buffer lost, since the reading before."

    static let retransmits = MetricDefinition(
        "sonde.tcp.segment.retransmit.ratio",
        .gauge,
        unit: "1",
        meaning: "Segments sent again per segment sent (RetransSegs / OutSegs), since the reading before."
    )
    static let resets = MetricDefinition(
        "sonde.tcp.connection.reset.ratio",
        .gauge,
        unit: "1",
        meaning: "Connections reset per connection opened, since the reading before; above 1 when old ones go at once."
    )
    static let overflows = MetricDefinition(
        "sonde.tcp.listen.overflow.rate",
        .gauge,
        unit: "{connection}/s",
        meaning: "Connections dropped per second because an accept queue was full, since the reading before."
    )
    static let udpLoss = MetricDefinition(
        "sonde.udp.datagram.receive_buffer.loss.ratio",
        .gauge,
        unit: "1",
        attributes: ["network.type"],
        meaning: udpLossMeaning
    )

    static var all: [MetricDefinition] { [retransmits, resets, overflows, udpLoss] }

    private var last: [WatchedColumn: UInt64] = [:]
    private var lastTime: MonotonicInstant?
    private var handles: [String: SeriesHandle] = [:]

    init() {}

    /// Takes the counters of one reading; one that could not be read is missing.
    mutating func take(
        _ new: [WatchedColumn: UInt64],
        at now: MonotonicInstant,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let old = last
        let before = lastTime
        last = new
        lastTime = now
        guard let before else { return }
        // A counter that fell says nothing of the time between.
        func step(_ column: WatchedColumn) -> UInt64? {
            guard let old = old[column], let new = new[column], new >= old else { return nil }
            return new &- old
        }
        let opens = Self.sum(step(.activeOpens), step(.passiveOpens))
        add(Self.retransmits, Self.ratio(step(.retransmittedSegments), step(.sentSegments)), to: &samples, host)
        add(Self.resets, Self.ratio(step(.resetConnections), opens), to: &samples, host)
        let families = [
            (AddressFamily.ipv4, WatchedColumn.fullBuffers, WatchedColumn.datagrams),
            (.ipv6, .fullBuffers6, .datagrams6),
        ]
        for (family, lost, taken) in families {
            let all = Self.sum(step(lost), step(taken))
            add(Self.udpLoss, Self.ratio(step(lost), all), [family.attribute], to: &samples, host)
        }
        let seconds = now.since(before).seconds
        if seconds > 0, let overflows = step(.listenOverflows) {
            add(Self.overflows, Double(overflows) / seconds, to: &samples, host)
        }
    }

    /// Nil where nothing happened that a share could be taken of.
    private static func ratio(_ part: UInt64?, _ whole: UInt64?) -> Double? {
        guard let part, let whole, whole > 0 else { return nil }
        return Double(part) / Double(whole)
    }

    private static func sum(_ one: UInt64?, _ two: UInt64?) -> UInt64? {
        guard let one, let two else { return nil }
        return one &+ two
    }

    private mutating func add(
        _ metric: MetricDefinition,
        _ value: Double?,
        _ attributes: [Attribute] = [],
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard let value else { return }
        let key = metric.name + (attributes.first?.value ?? "")
        let handle = handles[key] ?? host.openSeries(metric, attributes)
        guard !handle.isRefused else { return }
        handles[key] = handle
        samples.append(handle, value)
    }
}

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

    /// What is told, each in a slot of its own.
    private enum Slot: Int, CaseIterable {
        case retransmits, resets, overflows, udpLoss, udpLoss6
    }

    private var last = WatchedValues()
    private var lastTime: MonotonicInstant?
    private var slots = SeriesSlots(Slot.allCases.count)

    init() {}

    /// Takes the counters of one reading; one that could not be read is missing.
    mutating func take(
        _ new: WatchedValues,
        at now: MonotonicInstant,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let old = last
        let before = lastTime
        last = new
        lastTime = now
        guard let before else { return }
        slots.retryRefused()
        // A counter that fell says nothing of the time between.
        func step(_ column: WatchedColumn) -> UInt64? {
            guard let old = old[column], let new = new[column], new >= old else { return nil }
            return new &- old
        }
        let opens = Self.sum(step(.activeOpens), step(.passiveOpens))
        let retransmits = Self.ratio(step(.retransmittedSegments), step(.sentSegments))
        add(.retransmits, Self.retransmits, retransmits, to: &samples, host)
        add(.resets, Self.resets, Self.ratio(step(.resetConnections), opens), to: &samples, host)
        let loss = Self.ratio(step(.fullBuffers), Self.sum(step(.fullBuffers), step(.datagrams)))
        add(.udpLoss, Self.udpLoss, loss, .ipv4, to: &samples, host)
        let loss6 = Self.ratio(step(.fullBuffers6), Self.sum(step(.fullBuffers6), step(.datagrams6)))
        add(.udpLoss6, Self.udpLoss, loss6, .ipv6, to: &samples, host)
        let seconds = now.since(before).seconds
        let overflows = seconds > 0 ? step(.listenOverflows).map { Double($0) / seconds } : nil
        add(.overflows, Self.overflows, overflows, to: &samples, host)
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        slots.closeAll(host)
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
        _ slot: Slot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ value: Double?,
        _ family: AddressFamily? = nil,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard let value else { return }
        let handle = slots.handle(slot.rawValue) {
            host.openSeries(metric(), family.map { [$0.attribute] } ?? [])
        }
        if let handle { samples.append(handle, value) }
    }
}

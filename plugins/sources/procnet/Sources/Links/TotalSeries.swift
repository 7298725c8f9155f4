internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The series of the sums.
struct TotalSeries {
    var others = LinkSeries()
    private var slots = SeriesSlots(LinkSeries.Slot.allCases.count)
    private var uplinks: [NetworkLink: SeriesHandle] = [:]
    private var rule = UplinkChoice.Rule.none
    private var summedUp: SeriesHandle?

    init() {}

    /// Appends which interfaces the total is the sum of, each as an info series.
    mutating func append(_ choice: UplinkChoice, to samples: inout SampleBuffer, _ host: PluginHost) {
        if rule != choice.rule || uplinks.count != choice.links.count
            || !choice.links.allSatisfy({ uplinks[$0] != nil })
        {
            for handle in uplinks.values { host.closeSeries(handle) }
            rule = choice.rule
            uplinks = [:]
            for link in choice.links {
                uplinks[link] = host.openSeries(
                    RateMetrics.uplink,
                    [Attribute("network.interface.name", link.name), Attribute("sonde.uplink.rule", choice.rule.word)]
                )
            }
        }
        for handle in uplinks.values { samples.append(handle, UInt64(1)) }
    }

    /// Appends how many devices are summed up; nothing when none is.
    mutating func append(summedUp count: Int, to samples: inout SampleBuffer, _ host: PluginHost) {
        let handle = summedUp ?? host.openSeries(LinkMetrics.summedUp)
        summedUp = handle
        samples.append(handle, UInt64(clamping: count))
    }

    /// Appends one value of the host in a direction; nil is not known, and nothing is appended.
    mutating func append(
        _ slot: HostSlot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ direction: Direction?,
        _ value: SampleValue?,
        start: Timestamp? = nil,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard let value else { return }
        let index = slot.rawValue &* 2 &+ (direction == .transmit ? 1 : 0)
        let handle = slots.handle(index) {
            let metric = metric()
            let isCounter = metric.kind == .counter
            return host.openSeries(
                metric,
                direction.map { [$0.attribute] } ?? [],
                start: start,
                width: isCounter ? .bits64 : .unknown
            )
        }
        if let handle { samples.append(handle, value) }
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        others.closeAll(host)
        slots.closeAll(host)
        for handle in Array(uplinks.values) + [summedUp].compactMap(\.self) { host.closeSeries(handle) }
        uplinks = [:]
        rule = .none
        summedUp = nil
    }

    /// What is reported about the host, in both directions.
    enum HostSlot: Int {
        case io, packets, average, peak, upper, step
    }
}

internal import SondeDomain
internal import SondePluginKit

/// Turns what a walk found of single connections into samples.
struct DetailSeries: KeyedSeriesOwner {
    enum Key: Hashable {
        case port(UInt16?, MetricDefinition)
        case cgroup(String, MetricDefinition, Direction?)
    }

    /// Cgroups that are reported by their name.
    private static let cgroups = 32

    var series = KeyedSeries<Key>()

    init() {}

    /// Appends a walk.
    mutating func append(
        _ detail: ConnectionDetail,
        _ names: CgroupNames,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        series.begin()
        for (number, port) in detail.ports { append(number, port, to: &samples, host) }
        names.learn(detail.cgroups.keys)
        let cgroups = detail.named(limit: Self.cgroups) { names[$0] }
        for (name, sum) in cgroups.named { append(name, sum, to: &samples, host) }
        if cgroups.other.count > 0 { append("other", cgroups.other, to: &samples, host) }
        series.end(host)
    }

    private mutating func append(
        _ number: UInt16?,
        _ port: ConnectionDetail.Port,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        add(number, DetailMetrics.count, .unsigned(port.count), to: &samples, host)
        append(number, DetailMetrics.roundTrip, port.roundTrip, scale: 1e-6, to: &samples, host)
        append(number, DetailMetrics.shortestRoundTrip, port.shortestRoundTrip, scale: 1e-6, to: &samples, host)
        append(number, DetailMetrics.retransmitted, port.retransmitted, scale: 1, to: &samples, host)
        append(number, DetailMetrics.deliveryRate, port.deliveryRate, scale: 1, to: &samples, host)
    }

    private mutating func append(
        _ number: UInt16?,
        _ quantity: DetailMetrics.Quantity,
        _ values: ValueBuckets,
        scale: Double,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard values.count > 0 else { return }
        let parts = [
            (quantity.median, values.quantile(0.5)), (quantity.upper, values.quantile(0.95)),
            (quantity.highest, values.quantile(0.99)), (quantity.largest, values.largest),
        ]
        for (metric, value) in parts {
            guard let value else { continue }
            add(number, metric, .double(Double(value) * scale), to: &samples, host)
        }
    }

    private mutating func append(
        _ name: String,
        _ sum: ConnectionDetail.Cgroup,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let values: [(MetricDefinition, Direction?, UInt64?)] = [
            (DetailMetrics.cgroupConnections, nil, sum.count),
            (DetailMetrics.cgroupIO, .receive, sum.received.value),
            (DetailMetrics.cgroupIO, .transmit, sum.acknowledged.value),
        ]
        for (metric, direction, value) in values {
            guard let value else { continue }
            let handle = series.handle(.cgroup(name, metric, direction)) {
                host.openSeries(metric, [Attribute("sonde.cgroup", name)] + (direction.map { [$0.attribute] } ?? []))
            }
            if let handle { samples.append(handle, value) }
        }
    }

    private mutating func add(
        _ number: UInt16?,
        _ metric: MetricDefinition,
        _ value: SampleValue,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let handle = series.handle(.port(number, metric)) {
            host.openSeries(metric, [Attribute("network.local.port", number.map(String.init) ?? "other")])
        }
        if let handle { samples.append(handle, value) }
    }
}

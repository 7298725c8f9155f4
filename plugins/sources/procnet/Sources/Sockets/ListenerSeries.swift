internal import SondeDomain
internal import SondePluginKit

/// Turns readings of listeners into samples, port by port.
struct ListenerSeries: KeyedSeriesOwner {
    enum Part: Hashable {
        case queue, limit, use, drops
    }

    struct Key: Hashable {
        let port: UInt16?
        let part: Part
    }

    var series = KeyedSeries<Key>()
    private var drops: [UInt16?: ListenerDrops] = [:]
    /// When the counts of drops were zero.
    private let began: Timestamp

    init(began: Timestamp) {
        self.began = began
    }

    /// Appends a reading; what it does not have any more is closed.
    mutating func append(_ table: ListenerTable, to samples: inout SampleBuffer, _ host: PluginHost) {
        series.begin()
        // A port that is not reported individually any more may be among the others, with all that it has ever dropped.
        if drops.keys.contains(where: { $0.map { table.ports[$0] == nil } ?? false }) { drops[nil]?.forget() }
        for (number, port) in table.ports { append(number, port, to: &samples, host) }
        if let rest = table.rest { append(nil, rest, to: &samples, host) }
        series.end(host)
        drops = drops.filter { entry in entry.key.map { table.ports[$0] != nil } ?? (table.rest != nil) }
    }

    private mutating func append(
        _ number: UInt16?,
        _ port: ListenerTable.Port,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        add(number, .queue, SocketMetrics.listenerQueue, .unsigned(port.queue), to: &samples, host)
        if let limit = port.limit {
            add(number, .limit, SocketMetrics.listenerLimit, .unsigned(limit), to: &samples, host)
        }
        if let use = port.use { add(number, .use, SocketMetrics.listenerUse, .double(use), to: &samples, host) }
        guard let sum = port.drops else { return }
        var count = drops[number] ?? ListenerDrops()
        count.take(sum)
        drops[number] = count
        add(number, .drops, SocketMetrics.listenerDrops, .unsigned(count.total), to: &samples, host)
    }

    private mutating func add(
        _ number: UInt16?,
        _ part: Part,
        _ metric: MetricDefinition,
        _ value: SampleValue,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let began = began
        let handle = series.handle(Key(port: number, part: part)) {
            host.openSeries(
                metric,
                [Attribute("network.local.port", number.map(String.init) ?? "other")],
                start: metric.kind == .counter ? began : nil,
                width: metric.kind == .counter ? .bits64 : .unknown
            )
        }
        if let handle { samples.append(handle, value) }
    }
}

internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// Turns walks over sockets into samples.
struct WalkSeries: KeyedSeriesOwner {
    enum Key: Hashable {
        case state(transport: Transport, SocketFamily, SocketState)
        case drops(UInt16?)
        case queue(UInt16?)
        case queues(SocketFamily, Direction)
        case time(String)
        case period(String)
    }

    enum Transport: String {
        case tcp, udp
    }

    var series = KeyedSeries<Key>()
    private var tally = PortTally()
    /// When the count of all other ports was zero.
    private let began: Timestamp
    private var lastWalk: Timestamp?

    init(began: Timestamp) {
        self.began = began
    }

    /// Appends a walk; `established` are the numbers that it left out, nil where they are not known.
    ///
    /// `families` are those of TCP, `datagrams` those of UDP.
    mutating func append(
        _ walk: SocketWalk,
        established: [SocketFamily: UInt64],
        families: [SocketFamily],
        datagrams: [SocketFamily],
        _ effort: WalkEffort,
        at now: Timestamp,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        series.begin()
        for family in families {
            for state in SocketState.allCases where state != .closed {
                let count = state == .established ? established[family] : walk.tcp[family, state]
                if let count { add(count, .tcp, family, state, to: &samples, host) }
            }
        }
        for family in datagrams {
            add(walk.udp[family, .established], .udp, family, .established, to: &samples, host)
            add(walk.udp[family, .closed], .udp, family, .closed, to: &samples, host)
            appendQueues(walk.queues[family.index], family, to: &samples, host)
        }
        if !datagrams.isEmpty { appendPorts(walk.ports, at: now, to: &samples, host) }
        append(effort, to: &samples, host)
        series.end(host)
        lastWalk = now
    }

    private mutating func appendPorts(
        _ ports: PortSums,
        at now: Timestamp,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let held = tally.take(ports)
        for port in tally.unknown { series.keep(.drops(port)) }
        for (port, count) in tally.counted where !tally.unknown.contains(port) {
            add(.drops(port), SocketMetrics.udpDrops, .unsigned(count), start: lastWalk, to: &samples, host) {
                [Attribute("network.local.port", String(port))]
            }
        }
        for (port, bytes) in held.queues {
            add(.queue(port), SocketMetrics.udpQueue, .unsigned(bytes), to: &samples, host) {
                [Attribute("network.local.port", String(port))]
            }
        }
        let other = { [Attribute("network.local.port", "other")] }
        if !tally.unknown.contains(nil) {
            add(.drops(nil), SocketMetrics.udpDrops, .unsigned(tally.other), start: began, to: &samples, host, other)
        }
        add(.queue(nil), SocketMetrics.udpQueue, .unsigned(held.other), to: &samples, host, other)
    }

    private mutating func appendQueues(
        _ queues: SocketWalk.Queues,
        _ family: SocketFamily,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        for (direction, bytes) in [(Direction.receive, queues.receive), (.transmit, queues.transmit)] {
            add(.queues(family, direction), SocketMetrics.udpQueues, .unsigned(bytes), to: &samples, host) {
                [family.attribute, direction.attribute]
            }
        }
    }

    private mutating func append(_ effort: WalkEffort, to samples: inout SampleBuffer, _ host: PluginHost) {
        let method = { [Attribute("sonde.walk.method", effort.method)] }
        let (cost, period) = (effort.cost.seconds, effort.period.seconds)
        add(.time(effort.method), SocketMetrics.walkTime, .double(cost), to: &samples, host, method)
        add(.period(effort.method), SocketMetrics.walkPeriod, .double(period), to: &samples, host, method)
    }

    private mutating func add(
        _ count: UInt64,
        _ transport: Transport,
        _ family: SocketFamily,
        _ state: SocketState,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let key = Key.state(transport: transport, family, state)
        add(key, SocketMetrics.connections, .unsigned(count), to: &samples, host) {
            // A UDP socket without a peer has no connection that could be closed.
            let word = transport == .udp && state == .closed ? "unconnected" : state.word
            return [
                Attribute("network.transport", transport.rawValue), family.attribute,
                Attribute("network.connection.state", word),
            ]
        }
    }

    private mutating func add(
        _ key: Key,
        _ metric: MetricDefinition,
        _ value: SampleValue,
        start: Timestamp? = nil,
        to samples: inout SampleBuffer,
        _ host: PluginHost,
        _ attributes: () -> [Attribute]
    ) {
        let handle = series.handle(key) {
            host.openSeries(
                metric,
                attributes(),
                start: start,
                width: metric.kind == .counter ? .bits64 : .unknown
            )
        }
        if let handle { samples.append(handle, value) }
    }
}

/// What a walk took.
struct WalkEffort {
    /// `netlink` or `text`.
    let method: String
    /// Processor time.
    let cost: Nanoseconds
    /// The least time to the next walk.
    let period: Nanoseconds
}

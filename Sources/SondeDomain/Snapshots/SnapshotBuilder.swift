/// Makes the domain snapshots of one source from what its series contribute.
///
/// Feed it every contribution of a collection, then ask for the snapshots once. Bounded by the series that are open.
public struct SnapshotBuilder: Sendable {
    private struct Flow: Sendable {
        var current: Double?
        var window: WindowStatistics
    }

    private struct Interface: Sendable {
        var receive: Flow
        var transmit: Flow
    }

    private struct Sockets: Sendable {
        var sum: Double?
        var current: Double?
        var lastTime: MonotonicInstant?
        var window: WindowStatistics
    }

    /// The window that average and peak look back over.
    public let window: Nanoseconds
    private let source: String
    private var interfaces: [String: Interface] = [:]
    private var sockets: [SnapshotContribution.ConnectionGroup: Sockets] = [:]
    private var hasBandwidth = false
    private var hasConnections = false

    /// A builder for one source.
    public init(source: String, window: Nanoseconds = .seconds(3_600)) {
        self.source = source
        self.window = window
    }

    /// Takes a counter's reading for an interface and direction.
    public mutating func addBandwidth(
        interface name: String,
        _ direction: SnapshotContribution.Direction,
        _ reading: CounterTracker.Reading,
        at time: MonotonicInstant
    ) {
        hasBandwidth = true
        var interface = interfaces[name] ?? emptyInterface()
        switch direction {
        case .receive: add(reading, to: &interface.receive, at: time)
        case .transmit: add(reading, to: &interface.transmit, at: time)
        }
        interfaces[name] = interface
    }

    /// Takes a number of sockets; several of one group in one collection are added up.
    public mutating func addConnections(_ group: SnapshotContribution.ConnectionGroup, _ count: Double) {
        guard count.isFinite else { return }
        hasConnections = true
        var entry = sockets[group] ?? Sockets(window: WindowStatistics(window: window))
        entry.sum = (entry.sum ?? 0) + count
        sockets[group] = entry
    }

    /// Forgets an interface that is gone.
    public mutating func removeInterface(_ name: String) {
        interfaces[name] = nil
    }

    /// The bandwidth snapshot, when the collection that ends here contributed to one.
    public mutating func takeBandwidth(time: Timestamp, at instant: MonotonicInstant) -> BandwidthSnapshot? {
        guard hasBandwidth else { return nil }
        hasBandwidth = false
        let entries = interfaces.sorted { $0.key < $1.key }.map { name, interface in
            BandwidthSnapshot.Interface(
                name: name,
                receive: summary(interface.receive, at: instant),
                transmit: summary(interface.transmit, at: instant)
            )
        }
        forgetCurrent()
        return BandwidthSnapshot(time: time, source: source, interfaces: entries)
    }

    /// The connections snapshot, when the collection that ends here contributed to one.
    public mutating func takeConnections(time: Timestamp, at instant: MonotonicInstant) -> ConnectionsSnapshot? {
        guard hasConnections else { return nil }
        hasConnections = false
        let groups = SnapshotContribution.ConnectionGroup.allCases.compactMap { group in
            closeSockets(group, at: instant).map {
                ConnectionsSnapshot.Group(transport: group.transport, state: group.state, count: $0)
            }
        }
        return ConnectionsSnapshot(time: time, source: source, groups: groups)
    }

    // What the next collection does not bring is unknown, not what it was.
    private mutating func forgetCurrent() {
        for name in interfaces.keys {
            interfaces[name]?.receive.current = nil
            interfaces[name]?.transmit.current = nil
        }
    }

    private mutating func closeSockets(
        _ group: SnapshotContribution.ConnectionGroup,
        at instant: MonotonicInstant
    ) -> CurrentAveragePeak? {
        guard var entry = sockets[group] else { return nil }
        entry.current = entry.sum
        if let sum = entry.sum {
            // A first reading has held for no known time: it counts for a moment, so that average and peak exist.
            let held = entry.lastTime.map { instant.since($0) } ?? .milliseconds(1)
            entry.window.add(sum, held: held, at: instant)
        }
        entry.lastTime = entry.sum == nil ? nil : instant
        entry.sum = nil
        sockets[group] = entry
        return CurrentAveragePeak(
            current: entry.current,
            average: entry.window.average(at: instant),
            peak: entry.window.peak(at: instant)
        )
    }

    private func emptyInterface() -> Interface {
        let flow = Flow(window: WindowStatistics(window: window))
        return Interface(receive: flow, transmit: flow)
    }

    private func add(_ reading: CounterTracker.Reading, to flow: inout Flow, at time: MonotonicInstant) {
        flow.current = reading.rate
        if let rate = reading.rate { flow.window.add(rate, held: reading.elapsed, at: time) }
    }

    private func summary(_ flow: Flow, at instant: MonotonicInstant) -> CurrentAveragePeak {
        CurrentAveragePeak(
            current: flow.current,
            average: flow.window.average(at: instant),
            peak: flow.window.peak(at: instant)
        )
    }
}

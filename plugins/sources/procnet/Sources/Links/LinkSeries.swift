internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The series of one interface that is reported under its own name.
struct LinkSeries {
    /// What is reported beside the counters, each in the slot after theirs.
    enum Slot: Int, CaseIterable {
        case up, speed, mtu, queueLength
        case carrierChanges, carrierUps, carrierDowns
        case utilizationIn, utilizationOut
        case averageIn, averageOut, peakIn, peakOut, upperIn, upperOut, step
        case information

        var index: Int { LinkMetrics.counters.count + rawValue }
    }

    /// Whether it is of an uplink: others are sent from the level extended on.
    ///
    /// Close everything before it changes.
    var isUplink = false
    private var slots = SeriesSlots(LinkMetrics.counters.count + Slot.allCases.count)
    private var information: [Attribute] = []

    /// Series that the host refused.
    var refused: Int { slots.refused }

    /// Appends every counter.
    mutating func append(
        _ counters: LinkCounters,
        interface: String,
        start: Timestamp?,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        let sums = LinkMetrics.sums
        for slot in sums.indices {
            guard let value = counters.sum(sums[slot]) else { continue }
            let handle = slots.handle(slot) {
                Self.open(slot, interface: interface, isUplink: isUplink, start: start, host)
            }
            if let handle { samples.append(handle, value) }
        }
    }

    private static func open(
        _ slot: Int,
        interface: String,
        isUplink: Bool,
        start: Timestamp?,
        _ host: PluginHost
    ) -> SeriesHandle {
        let counter = LinkMetrics.counters[slot]
        return host.openSeries(
            counter.metric,
            [Attribute("network.interface.name", interface), counter.direction.attribute],
            start: start,
            width: .bits64,
            level: MetricLevels.level(of: counter.metric, isUplink: isUplink)
        )
    }

    /// Appends one value; nil is not known, and nothing is appended.
    ///
    /// Which series it is of is only asked for when there is none yet.
    mutating func append(
        _ slot: Slot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ value: SampleValue?,
        _ attributes: @autoclosure () -> [Attribute],
        start: Timestamp? = nil,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard let value else { return }
        let handle = slots.handle(slot.index) {
            let metric = metric()
            // The kernel's counts of carrier changes are atomic_t, 32 bits (struct net_device, linux/netdevice.h).
            let width = metric.kind == .counter ? CounterWidth.bits32 : .unknown
            return host.openSeries(
                metric, attributes(), start: start, width: width,
                level: MetricLevels.level(of: metric, isUplink: isUplink))
        }
        if let handle { samples.append(handle, value) }
    }

    /// Appends the attributes as an info series, a new one when they changed.
    mutating func append(_ information: [Attribute], to samples: inout SampleBuffer, _ host: PluginHost) {
        if information != self.information {
            slots.close(Slot.information.index, host)
            self.information = information
        }
        let handle = slots.handle(Slot.information.index) {
            host.openSeries(
                LinkMetrics.info, information, level: MetricLevels.level(of: LinkMetrics.info, isUplink: isUplink))
        }
        if let handle { samples.append(handle, UInt64(1)) }
    }

    /// Closes the counters: they began again.
    mutating func closeCounters(_ host: PluginHost) {
        for slot in LinkMetrics.counters.indices { slots.close(slot, host) }
    }

    /// Closes everything.
    mutating func closeAll(_ host: PluginHost) {
        slots.closeAll(host)
    }

    /// Asks again for what was refused.
    mutating func retryRefused() {
        slots.retryRefused()
    }
}

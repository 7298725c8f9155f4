internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

/// The host's total where netlink is refused: the sum over the interfaces that the configuration names, from
/// `/proc/net/dev`, which lacks the kind of an interface.
struct FallbackTotal {
    private let choice: UplinkChoice
    private var sum = LinkCounters()
    private var last: [String: LinkCounters] = [:]
    private var hasBegun = false
    private var series = TotalSeries()

    /// A total over interfaces by name; over none it stays unknown.
    init(_ uplinks: [String]) {
        let links = uplinks.enumerated().map { NetworkLink(index: Int32(clamping: $0), name: $1) }
        choice = UplinkChoice(among: links, configured: uplinks)
    }

    /// Whether there is anything to add up.
    var isEmpty: Bool { choice.links.isEmpty }

    /// Takes a reading; an interface that it lacks makes the sum unknown, not smaller.
    mutating func append(
        _ counts: [String: LinkCounters],
        _ start: Timestamp?,
        to samples: inout SampleBuffer,
        _ host: PluginHost
    ) {
        guard !isEmpty else { return }
        for (name, new) in counts {
            // What a counter that fell has counted is not known.
            if let old = last[name] {
                if !new.hasFallen(since: old) { sum.add(new.step(since: old)) }
            } else if !hasBegun {
                sum.add(new)
            }
            last[name] = new
        }
        hasBegun = true
        series.append(choice, to: &samples, host)
        guard choice.links.allSatisfy({ counts[$0.name] != nil }) else { return }
        let total = sum
        let values: [(TotalSeries.HostSlot, MetricDefinition, Direction, UInt64?)] = [
            (.io, RateMetrics.hostIO, .receive, total[.receivedBytes]),
            (.io, RateMetrics.hostIO, .transmit, total[.sentBytes]),
            (.packets, RateMetrics.hostPackets, .receive, total[.receivedPackets]),
            (.packets, RateMetrics.hostPackets, .transmit, total[.sentPackets]),
        ]
        for (slot, metric, direction, value) in values {
            let value = value.map { SampleValue.unsigned($0) }
            series.append(slot, metric, direction, value, start: start, to: &samples, host)
        }
    }

    /// Closes everything: netlink reports it from now on.
    mutating func closeAll(_ host: PluginHost) {
        series.closeAll(host)
        last = [:]
        hasBegun = false
        sum = LinkCounters()
    }
}

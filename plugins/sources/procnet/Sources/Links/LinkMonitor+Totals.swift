internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension LinkMonitor {
    /// Appends the sum of the virtual devices that are too many, once there were some.
    func appendOthers(_ start: Timestamp?, to samples: inout SampleBuffer) {
        guard totals.hasOthers else { return }
        totalSeries.others.append(totals.others.total, interface: LinkTotals.other, start: start, to: &samples, host)
        totalSeries.append(summedUp: totals.summedUp, to: &samples, host)
    }

    /// Appends what is known of all uplinks together; nothing where there is none.
    func appendHost(_ start: Timestamp?, to samples: inout SampleBuffer) {
        guard let choice else { return }
        totalSeries.append(choice, to: &samples, host)
        guard !choice.links.isEmpty else { return }
        // An uplink whose counts were not read makes the sum of all unknown, not smaller.
        guard choice.links.allSatisfy({ book[$0.index]?.isFresh == true }) else { return }
        for direction in [Direction.receive, .transmit] { appendHost(direction, start, to: &samples) }
        guard sampler.receive.peak != nil, let step = sampler.step else { return }
        totalSeries.append(.step, RateMetrics.hostStep, nil, .double(step.seconds), to: &samples, host)
    }

    private func appendHost(_ direction: Direction, _ start: Timestamp?, to samples: inout SampleBuffer) {
        let isReceive = direction == .receive
        let bytes = totals.host.total[isReceive ? .receivedBytes : .sentBytes]
        let packets = totals.host.total[isReceive ? .receivedPackets : .sentPackets]
        append(.io, RateMetrics.hostIO, direction, bytes.map { .unsigned($0) }, start, &samples)
        append(.packets, RateMetrics.hostPackets, direction, packets.map { .unsigned($0) }, start, &samples)
        let average = totals.hostStep.flatMap { step -> Double? in
            guard step.elapsed > .zero else { return nil }
            return Double(isReceive ? step.bytes.receive : step.bytes.transmit) / step.elapsed.seconds
        }
        let measured = isReceive ? sampler.receive : sampler.transmit
        append(.average, RateMetrics.hostAverage, direction, average.map { .double($0) }, nil, &samples)
        append(.peak, RateMetrics.hostPeak, direction, measured.peak.map { .double($0) }, nil, &samples)
        append(.upper, RateMetrics.hostUpper, direction, measured.quantile(0.95).map { .double($0) }, nil, &samples)
    }

    private func append(
        _ slot: TotalSeries.HostSlot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ direction: Direction,
        _ value: SampleValue?,
        _ start: Timestamp?,
        _ samples: inout SampleBuffer
    ) {
        totalSeries.append(slot, metric(), direction, value, start: start, to: &samples, host)
    }
}

internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension LinkMonitor {
    /// Appends everything of the newest reading.
    func append(_ start: Timestamp?, to samples: inout SampleBuffer) {
        totals.add(book.all)
        for device in book.all where device.role == .alone && device.isFresh { append(device, to: &samples) }
        appendOthers(start, to: &samples)
        appendHost(start, to: &samples)
        events.append(start: began, to: &samples, host)
        kinds.append(to: &samples, host)
        sampler.beginInterval()
    }

    private func append(_ device: LinkDevice, to samples: inout SampleBuffer) {
        if let counted = device.counted {
            device.series.append(counted, interface: device.name, start: device.start, to: &samples, host)
        }
        appendState(device, to: &samples)
        appendRates(device, to: &samples)
        let information = device.information ?? device.madeInformation { self.book[$0]?.name }
        device.information = information
        device.series.append(information, to: &samples, host)
    }

    private func appendState(_ device: LinkDevice, to samples: inout SampleBuffer) {
        let description = device.description
        append(.up, LinkMetrics.up, description.isRunning ? 1 : 0, device, &samples)
        append(.speed, LinkMetrics.speed, device.speed?.bytesPerSecond, device, &samples)
        append(.mtu, LinkMetrics.mtu, description.mtu.map(UInt64.init), device, &samples)
        append(
            .queueLength, LinkMetrics.queueLength, description.transmitQueueLength.map(UInt64.init), device, &samples)
        append(
            .carrierChanges, LinkMetrics.carrierChanges, description.carrierChanges.map(UInt64.init), device, &samples)
        append(.carrierUps, LinkMetrics.carrierUps, description.carrierUps.map(UInt64.init), device, &samples)
        append(.carrierDowns, LinkMetrics.carrierDowns, description.carrierDowns.map(UInt64.init), device, &samples)
    }

    private func append(
        _ slot: LinkSeries.Slot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ value: UInt64?,
        _ device: LinkDevice,
        _ samples: inout SampleBuffer
    ) {
        device.series.append(
            slot, metric(), value.map { .unsigned($0) }, [Attribute("network.interface.name", device.name)],
            start: device.start, to: &samples, host)
    }

    private func appendRates(_ device: LinkDevice, to samples: inout SampleBuffer) {
        guard let step = device.step, device.elapsed > .zero else { return }
        let meter = device.isUplink ? sampler.meter(of: device.link.index) : nil
        for direction in [Direction.receive, .transmit] {
            guard let bytes = step[direction == .receive ? .receivedBytes : .sentBytes] else { continue }
            appendRates(direction, Double(bytes) / device.elapsed.seconds, meter, device, &samples)
        }
        appendStep(device, to: &samples)
    }

    private func appendRates(
        _ direction: Direction,
        _ rate: Double,
        _ meter: RateMeter?,
        _ device: LinkDevice,
        _ samples: inout SampleBuffer
    ) {
        let isReceive = direction == .receive
        let share = device.speed?.bytesPerSecond.map { rate / Double($0) }
        append(
            isReceive ? .utilizationIn : .utilizationOut, LinkMetrics.utilization, share, direction, device, &samples)
        guard device.isUplink else { return }
        append(isReceive ? .averageIn : .averageOut, RateMetrics.average, rate, direction, device, &samples)
        guard let meter else { return }
        let rates = isReceive ? meter.receive : meter.transmit
        append(isReceive ? .peakIn : .peakOut, RateMetrics.peak, rates.peak, direction, device, &samples)
        append(isReceive ? .upperIn : .upperOut, RateMetrics.upper, rates.quantile(0.95), direction, device, &samples)
    }

    private func append(
        _ slot: LinkSeries.Slot,
        _ metric: @autoclosure () -> MetricDefinition,
        _ value: Double?,
        _ direction: Direction,
        _ device: LinkDevice,
        _ samples: inout SampleBuffer
    ) {
        device.series.append(
            slot, metric(), value.map { .double($0) },
            [Attribute("network.interface.name", device.name), direction.attribute], to: &samples, host)
    }

    private func appendStep(_ device: LinkDevice, to samples: inout SampleBuffer) {
        guard let meter = sampler.meter(of: device.link.index), meter.receive.peak != nil else { return }
        let step = max(meter.receive.peakWindow, meter.transmit.peakWindow)
        device.series.append(
            .step, RateMetrics.step, .double(step.seconds), [Attribute("network.interface.name", device.name)],
            to: &samples, host)
    }
}

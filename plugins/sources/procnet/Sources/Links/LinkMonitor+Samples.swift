internal import SondeDomain
internal import SondeNetlink
internal import SondePluginKit

extension LinkMonitor {
    /// Appends everything that the newest reading tells.
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
        let name = [Attribute("network.interface.name", device.name)]
        let values: [(LinkSeries.Slot, MetricDefinition, UInt64?)] = [
            (.up, LinkMetrics.up, description.isRunning ? 1 : 0),
            (.speed, LinkMetrics.speed, device.speed?.bytesPerSecond),
            (.mtu, LinkMetrics.mtu, description.mtu.map(UInt64.init)),
            (.queueLength, LinkMetrics.queueLength, description.transmitQueueLength.map(UInt64.init)),
            (.carrierChanges, LinkMetrics.carrierChanges, description.carrierChanges.map(UInt64.init)),
            (.carrierUps, LinkMetrics.carrierUps, description.carrierUps.map(UInt64.init)),
            (.carrierDowns, LinkMetrics.carrierDowns, description.carrierDowns.map(UInt64.init)),
        ]
        for (slot, metric, value) in values {
            let value = value.map { SampleValue.unsigned($0) }
            device.series.append(slot, metric, value, name, start: device.start, to: &samples, host)
        }
    }

    private func appendRates(_ device: LinkDevice, to samples: inout SampleBuffer) {
        guard let step = device.step, device.elapsed > .zero else { return }
        for direction in [Direction.receive, .transmit] {
            let isReceive = direction == .receive
            guard let bytes = step[isReceive ? .receivedBytes : .sentBytes] else { continue }
            let rate = Double(bytes) / device.elapsed.seconds
            let attributes = [Attribute("network.interface.name", device.name), direction.attribute]
            let share = device.speed?.bytesPerSecond.map { SampleValue.double(rate / Double($0)) }
            device.series.append(
                isReceive ? .utilizationIn : .utilizationOut, LinkMetrics.utilization, share, attributes, to: &samples,
                host)
            guard device.isUplink else { continue }
            device.series.append(
                isReceive ? .averageIn : .averageOut, RateMetrics.average, .double(rate), attributes, to: &samples, host
            )
            guard let meter = sampler.meter(of: device.link.index) else { continue }
            let rates = isReceive ? meter.receive : meter.transmit
            device.series.append(
                isReceive ? .peakIn : .peakOut,
                RateMetrics.peak,
                rates.peak.map { .double($0) },
                attributes,
                to: &samples,
                host
            )
            device.series.append(
                isReceive ? .upperIn : .upperOut,
                RateMetrics.upper,
                rates.quantile(0.95).map { .double($0) },
                attributes,
                to: &samples,
                host
            )
        }
        appendStep(device, to: &samples)
    }

    private func appendStep(_ device: LinkDevice, to samples: inout SampleBuffer) {
        guard let meter = sampler.meter(of: device.link.index), meter.receive.peak != nil, let step = meter.step else {
            return
        }
        let name = [Attribute("network.interface.name", device.name)]
        device.series.append(.step, RateMetrics.step, .double(step.seconds), name, to: &samples, host)
    }
}

internal import SondeDomain
internal import SondePluginKit

extension SampleSheet {
    /// Adds the totals of the flows.
    func add(_ flows: borrowing FlowTracker) {
        add(cellsOf: flows.totals)
        add(FlowMetrics.withoutFlow, .unsigned(flows.totals.withoutFlow.packets))
        add(FlowMetrics.started, .unsigned(flows.totals.started))
        for reason in FlowEndReason.allCases {
            let attributes = [Attribute("sonde.flow.end_reason", reason.name)]
            count(FlowMetrics.ended, flows.totals.ended(reason), cell: Int(reason.rawValue), attributes)
        }
        add(FlowMetrics.active, .unsigned(flows.totals.active))
        add(FlowMetrics.tableSize, .unsigned(UInt64(flows.table.byteCount)))
        add(flows.totals.tcp)
        add(FlowMetrics.handshake, flows.totals.handshakes.snapshot)
        add(FlowMetrics.acceptance, flows.totals.acceptances.snapshot)
        add(FlowMetrics.duration, flows.totals.durations.snapshot)
        add(FlowMetrics.size, flows.totals.sizes.snapshot)
    }

    private func add(cellsOf totals: borrowing FlowTotals) {
        for cell in FlowCell.all {
            let number = totals[cell]
            guard number.packets > 0 else { continue }
            let place = Int(cell.index)
            count(FlowMetrics.packets, number.packets, cell: place, cell.attributes)
            count(FlowMetrics.bytes, number.bytes, cell: place, cell.attributes)
        }
    }

    private func add(_ metric: MetricDefinition, _ histogram: HistogramValue?) {
        if let histogram { add(metric, .histogram(histogram)) }
    }
}

extension FlowCell {
    /// The attributes that distinguish its series.
    fileprivate var attributes: [Attribute] {
        var attributes = [
            Attribute("network.transport", transport.name),
            Attribute("network.type", isIPv6 ? "ipv6" : "ipv4"),
            Attribute("network.io.direction", direction.name),
        ]
        if let name = service.name { attributes.append(Attribute("sonde.flow.app", name)) }
        return attributes
    }
}

internal import SondeDomain
internal import SondePluginKit

/// Turns the counts of live capture and of the packet analysis into samples and losses.
final class CaptureReport {
    private let host: PluginHost
    private let sheet: SampleSheet
    private let top: TopSamples
    private var lastTime: Timestamp

    /// A report that names the heaviest keys as set in `analysis`.
    init(_ host: PluginHost, _ analysis: AnalysisSettings = AnalysisSettings()) {
        self.host = host
        sheet = SampleSheet(host)
        top = TopSamples(limit: analysis.top, privacy: analysis.privacy)
        lastTime = sheet.started
    }

    /// Makes the samples of this moment, and enters what the kernel dropped since the last time into the ledger.
    func gather(_ capture: LiveCapture, _ pipeline: PacketPipeline) {
        let now = host.wallTime
        sheet.begin(at: now)
        // An interface that could never be opened has no counts.
        let unknown = Set(capture.captures.filter { !$0.wasOpened }.map(\.name))
        for (slot, name) in capture.slots.names.enumerated() where !unknown.contains(name) {
            let counts = pipeline[UInt16(clamping: slot)]
            append(CaptureMetrics.packets, name, .unsigned(counts.packets))
            append(CaptureMetrics.bytes, name, .unsigned(counts.bytes))
        }
        for interface in capture.captures { gather(interface, now) }
        gatherReceived(capture)
        gather(pipeline)
        sheet.end()
        lastTime = now
    }

    /// Makes the samples of what was recorded: of the capture itself nothing is known.
    func gather(_ pipeline: PacketPipeline, of interfaces: [String]) {
        sheet.begin(at: host.wallTime)
        for (slot, name) in interfaces.enumerated() {
            let counts = pipeline[UInt16(clamping: slot)]
            append(CaptureMetrics.packets, name, .unsigned(counts.packets))
            append(CaptureMetrics.bytes, name, .unsigned(counts.bytes))
        }
        gather(pipeline)
        sheet.end()
    }

    /// Offers the samples once.
    func commit() -> PluginHost.CommitResult {
        sheet.commit()
    }

    private func gather(_ pipeline: PacketPipeline) {
        guard let analysis = pipeline.analysis else { return }
        sheet.add(analysis.pointee.frames)
        switch analysis.pointee.flows {
        case .none: break
        case .some(let flows):
            sheet.add(flows)
            top.add(flows, to: sheet)
        }
        switch analysis.pointee.dns {
        case .none: break
        case .some(let dns):
            sheet.add(dns)
            top.add(dns, to: sheet)
        }
    }

    private func gather(_ capture: InterfaceCapture, _ now: Timestamp) {
        append(CaptureMetrics.active, capture.name, .signed(capture.descriptor == nil ? 0 : 1))
        guard capture.wasOpened else { return }
        let losses = capture.takeLosses()
        append(CaptureMetrics.dropped, capture.name, .unsigned(capture.dropped))
        if let dropped = capture.droppedByInterface {
            append(CaptureMetrics.droppedByInterface, capture.name, .unsigned(dropped))
        }
        guard losses.dropped > 0 else { return }
        host.reportLoss(reason: "kernel_drop", from: lastTime, to: now, count: losses.dropped)
        host.log(
            .warning,
            "the kernel dropped \(losses.dropped) of \(losses.received) packets on '\(capture.name)': its buffer was full"
        )
    }

    private func gatherReceived(_ capture: LiveCapture) {
        sheet.add(CaptureMetrics.filtered, .unsigned(capture.isFiltered ? 1 : 0))
        let names = capture.slots.names
        for (slot, totals) in capture.compareReceived() where names.indices.contains(Int(slot)) {
            let name = names[Int(slot)]
            for (counter, counts) in [("capture", totals.captured), ("kernel", totals.counted)] {
                let attributes = [
                    Attribute("network.interface.name", name), Attribute("sonde.counted_by", counter),
                ]
                sheet.add(
                    CaptureMetrics.receivedBytes, .unsigned(counts.bytes), name: "\(counter) \(name)", attributes)
                sheet.add(
                    CaptureMetrics.receivedPackets, .unsigned(counts.packets), name: "\(counter) \(name)", attributes)
            }
        }
    }

    private func append(_ metric: MetricDefinition, _ interface: String, _ value: SampleValue) {
        sheet.add(metric, value, name: interface, [Attribute("network.interface.name", interface)])
    }
}

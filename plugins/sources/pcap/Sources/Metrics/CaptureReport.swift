internal import SondeDomain
internal import SondePluginKit

/// Turns the counts of live capture into samples and losses.
final class CaptureReport {
    private let host: PluginHost
    private let started: Timestamp
    private var series: [String: SeriesHandle] = [:]
    private var samples = SampleBuffer()
    private var lastTime: Timestamp

    init(_ host: PluginHost) {
        self.host = host
        started = host.wallTime
        lastTime = started
    }

    /// Makes the samples of this moment, and enters what the kernel dropped since the last time into the ledger.
    func gather(_ capture: LiveCapture, _ pipeline: PacketPipeline) {
        samples.removeAll()
        let now = host.wallTime
        for (slot, name) in capture.slots.names.enumerated() {
            let counts = pipeline[UInt16(clamping: slot)]
            append(CaptureMetrics.packets, name, .unsigned(counts.packets), now)
            append(CaptureMetrics.bytes, name, .unsigned(counts.bytes), now)
        }
        for interface in capture.captures { gather(interface, now) }
        lastTime = now
    }

    /// Offers the samples once.
    func commit() -> PluginHost.CommitResult {
        host.commit(samples)
    }

    private func gather(_ capture: InterfaceCapture, _ now: Timestamp) {
        let losses = capture.takeLosses()
        append(CaptureMetrics.dropped, capture.name, .unsigned(capture.dropped), now)
        if let dropped = capture.droppedByInterface {
            append(CaptureMetrics.droppedByInterface, capture.name, .unsigned(dropped), now)
        }
        append(CaptureMetrics.active, capture.name, .signed(capture.descriptor == nil ? 0 : 1), now)
        if losses.received > 0 {
            let share = min(1, Double(losses.dropped) / Double(losses.received))
            append(CaptureMetrics.dropRatio, capture.name, .double(share), now)
        }
        guard losses.dropped > 0 else { return }
        host.reportLoss(reason: "kernel_drop", from: lastTime, to: now, count: losses.dropped)
        host.log(
            .warning,
            "the kernel dropped \(losses.dropped) of \(losses.received) packets on '\(capture.name)': its buffer was full"
        )
    }

    private func append(_ metric: MetricDefinition, _ interface: String, _ value: SampleValue, _ time: Timestamp) {
        let key = "\(metric.name) \(interface)"
        let handle =
            series[key]
            ?? host.openSeries(
                metric,
                [Attribute("network.interface.name", interface)],
                start: metric.kind == .counter ? started : nil,
                width: metric.kind == .counter ? .bits64 : .unknown
            )
        series[key] = handle
        samples.append(handle, value, at: time)
    }
}

internal import SondeDomain
internal import SondePluginKit

/// Captures packets on interfaces and reports their totals.
final class PcapSource: StreamingSource {
    let host: PluginHost
    private let settings: CaptureSettings
    private let analysis: AnalysisSettings
    private let pipeline: PacketPipeline
    private var capture: LiveCapture?
    private var report: CaptureReport?

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        analysis = try AnalysisSettings(host.options)
        settings = try CaptureSettings(host.options, wholeStreams: analysis.dns?.ports ?? [])
        pipeline = PacketPipeline(analysis)
    }

    func start() throws(PluginError) {
        if let capture {
            try capture.open()
        } else {
            capture = try LiveCapture(settings, pipeline, host, links: .here)
        }
        guard report == nil else { return }
        report = CaptureReport(host, analysis)
        warnOfSmallTable()
    }

    private func warnOfSmallTable() {
        guard let wanted = analysis.flows?.bytes, let room = pipeline.analysis?.pointee.flows?.table.bytes,
            room < wanted
        else { return }
        host.log(
            .warning,
            "SND-PCP011: flow_table: so much memory cannot be had: \(room) of \(wanted) bytes are used for flows"
        )
    }

    func run(_ call: PluginCall) throws(PluginError) {
        guard let capture, let report else {
            throw PluginError("SND-PCP007", .programmer, "run was called before start")
        }
        var rhythm = CommitRhythm(interval: call.interval, from: host.monotonicTime)
        do throws(PluginError) {
            repeat { try capture.turn(call, until: rhythm.next) } while commit(report, capture, &rhythm) != .stopping
        } catch {
            // The last counts are committed after every kind of failure.
            capture.readAll()
            gather(report, capture)
            _ = report.commit()
            capture.close()
            throw error
        }
        // Nothing is taken any more.
        capture.close()
        throw .cancelled
    }

    /// Commits when it is time to; nil: it is not.
    private func commit(
        _ report: CaptureReport,
        _ capture: LiveCapture,
        _ rhythm: inout CommitRhythm
    ) -> PluginHost.CommitResult? {
        guard rhythm.isDue(at: host.monotonicTime) else { return nil }
        gather(report, capture)
        let result = report.commit()
        switch result {
        case .taken:
            pipeline.startInterval()
            rhythm.advance(at: host.monotonicTime)
        case .stopping: break
        case .busy:
            if rhythm.postpone(at: host.monotonicTime) {
                host.log(.warning, "SND-PCP010: the agent took no samples for one interval")
            }
        }
        return result
    }

    private func gather(_ report: CaptureReport, _ capture: LiveCapture) {
        // What libpcap still holds back is older: it comes first.
        let settled = host.wallTime.nanoseconds &- Self.delay.value
        pipeline.settle(at: settled) { capture.readAll() }
        report.gather(capture, pipeline)
    }

    /// Packets reach the pipeline within this time.
    private static let delay = Nanoseconds.seconds(1)
}

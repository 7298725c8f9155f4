internal import CPcap
internal import Glibc
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
    /// Nil where reading may take a whole processor.
    private var pace: ReadingPace?

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        analysis = try AnalysisSettings(host.options)
        settings = try CaptureSettings(host.options, wholeStreams: analysis.dns?.ports ?? [])
        pipeline = PacketPipeline(analysis)
        pace = host.options.double("cpu_budget").flatMap(ReadingPace.init)
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
            repeat {
                try capture.turn(call, until: rhythm.next)
                try rest(call, until: rhythm.next)
            } while commit(report, capture, &rhythm) != .stopping
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

    /// Leaves packets to the kernel, which keeps and then drops and counts them, where more was used than the pace allows.
    private func rest(_ call: PluginCall, until instant: MonotonicInstant) throws(PluginError) {
        let now = host.monotonicTime
        guard let rest = pace?.rest(at: now, used: Self.processorTime), rest > .zero else { return }
        let span = min(rest, instant.since(now))
        guard span > .zero else { return }
        var entry = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(clamping: (span.value &+ 999_999) / 1_000_000)) > 0 else { return }
        throw .cancelled
    }

    /// What this thread has used so far, clock_gettime(2).
    private static var processorTime: Nanoseconds {
        var time = timespec()
        guard clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
        return .seconds(Int64(time.tv_sec)) + Nanoseconds(Int64(time.tv_nsec))
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

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
    /// Where packets are recorded, or come from; nil, as usual: neither.
    private let tape: PacketTape?
    private var capture: LiveCapture?
    private var report: CaptureReport?
    /// Nil where reading may take a whole processor.
    private var pace: ReadingPace?

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        var analysis = try AnalysisSettings(host.options)
        analysis.useSeeds(of: host.tape)
        self.analysis = analysis
        settings = try CaptureSettings(host.options, wholeStreams: analysis.dns?.ports ?? [])
        tape = host.tape.map { PacketTape($0, ports: analysis.dns?.ports ?? []) }
        pipeline = PacketPipeline(analysis, tape: tape)
        // What is read at a pace depends on the machine.
        pace = tape == nil ? host.options.double("cpu_budget").flatMap(ReadingPace.init) : nil
    }

    func start() throws(PluginError) {
        if tape?.tape.mode == .replaying {
            report = report ?? CaptureReport(host, analysis)
            return
        }
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
        if let tape, let report, tape.tape.mode == .replaying { try replay(tape, report, call) }
        guard let capture, let report else {
            throw PluginError("SND-PCP007", .programmer, "run was called before start")
        }
        var rhythm = CommitRhythm(interval: call.interval, from: host.monotonicTime)
        do throws(PluginError) {
            repeat {
                _ = tape?.tape.step()
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

    /// Processes what was kept, step by step.
    private func replay(_ tape: PacketTape, _ report: CaptureReport, _ call: PluginCall) throws(PluginError) -> Never {
        var rhythm = CommitRhythm(interval: call.interval, from: host.monotonicTime)
        while tape.tape.step() {
            tape.replay(into: pipeline)
            guard rhythm.isDue(at: host.monotonicTime) else { continue }
            gather(report, tape)
            guard report.commit() == .taken else { continue }
            pipeline.startInterval()
            rhythm.advance(at: host.monotonicTime)
        }
        gather(report, tape)
        _ = report.commit()
        throw .cancelled
    }

    private func gather(_ report: CaptureReport, _ tape: PacketTape) {
        pipeline.settle(at: host.wallTime.nanoseconds &- Self.delay.value) {}
        report.gather(pipeline, of: tape.readNames())
    }

    /// Leaves packets to the kernel, which keeps and then drops and counts them, where more was used than the pace allows.
    private func rest(_ call: PluginCall, until instant: MonotonicInstant) throws(PluginError) {
        let now = host.monotonicTime
        guard let rest = pace?.rest(at: now, used: ThreadTime.now), rest > .zero else { return }
        let span = min(rest, instant.since(now))
        guard span > .zero else { return }
        var entry = pollfd(fd: call.cancelDescriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, Int32(clamping: (span.value &+ 999_999) / 1_000_000)) > 0 else { return }
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
        tape?.record(names: capture.slots.names)
    }

    /// Packets reach the pipeline within this time.
    private static let delay = Nanoseconds.seconds(1)
}

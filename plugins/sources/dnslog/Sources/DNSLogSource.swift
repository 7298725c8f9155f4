internal import SondeDomain
internal import SondePluginKit

/// Follows the logs of resolvers, or listens to their dnstap, and reports their totals.
final class DNSLogSource: StreamingSource {
    let host: PluginHost
    private let input: (any LogInput)?
    private let pipeline: LogPipeline
    private let settings: LogSettings
    private var report: LogSamples?
    // Both over several runs: one that finds nothing to read ends at once.
    private var rhythm: CommitRhythm?
    private var lastRead: MonotonicInstant?
    /// Whether what was read before nothing could be read any more was committed.
    private var isTroubleTold = false
    private var news: LogNews

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        settings = try LogSettings(host.options)
        let seed = UInt64.random(in: .min ... .max)
        input = try Self.input(settings.format, host, seed: seed)
        pipeline = LogPipeline(settings, seed: seed)
        news = LogNews(host)
    }

    func start() throws(PluginError) {
        guard let input else { throw Self.refused("the source has nothing to read", "path") }
        guard report == nil else { return }
        try input.start(host.loadCheckpoint(), at: now)
        report = LogSamples(host, settings)
    }

    func run(_ call: PluginCall) throws(PluginError) {
        guard let report, let input else { throw PluginError("SND-DLG007", .programmer, "run was called before start") }
        var rhythm = self.rhythm ?? CommitRhythm(interval: call.interval, from: host.monotonicTime)
        defer { self.rhythm = rhythm }
        repeat {
            read(input)
            if rhythm.isDue(at: host.monotonicTime) { try offer(report, input, &rhythm) }
            guard let trouble = input.trouble else {
                isTroubleTold = false
                continue
            }
            if isTroubleTold { throw trouble }
        } while input.wait(call.cancelDescriptor, until: rhythm.next, at: host.monotonicTime) == .ready
        // The last of what was counted goes out; what is in the files beyond it is read after the next start.
        _ = report.commit(pipeline, input)
        throw .cancelled
    }

    private func offer(_ report: LogSamples, _ input: any LogInput, _ rhythm: inout CommitRhythm) throws(PluginError) {
        pipeline.settle()
        switch report.commit(pipeline, input) {
        case .taken:
            pipeline.startInterval()
            rhythm.advance(at: host.monotonicTime)
            isTroubleTold = input.trouble != nil
        case .stopping: throw .cancelled
        case .busy:
            if rhythm.postpone(at: host.monotonicTime) {
                host.log(.warning, "SND-DLG008: the agent took no samples for one interval")
            }
        }
    }

    private var now: TailInstant { TailInstant(monotonic: host.monotonicTime, wall: host.wallTime) }

    private func read(_ input: any LogInput) {
        let moment = now
        // A log of which there is more to read is behind: its own times show how much has passed.
        if input.isDrained, let lastRead { pipeline.pass(moment.monotonic.since(lastRead)) }
        lastRead = moment.monotonic
        input.read(into: pipeline, at: moment)
        news.tell(pipeline)
    }

    private static func input(
        _ format: LogFormat?, _ host: PluginHost, seed: UInt64
    ) throws(PluginError) -> (any LogInput)? {
        guard format == .dnstap else { return try TailSettings(host.options).map { TailInput($0, host) } }
        return try DnstapSettings(host.options).map { DnstapInput($0, host, seed: seed) }
    }
}

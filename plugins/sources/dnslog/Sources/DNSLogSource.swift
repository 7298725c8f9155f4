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
    private var isTroubleReported = false
    private var news: LogNews
    /// Nil where reading may take a whole processor.
    private var pace: ReadingPace?
    private var restEnd: MonotonicInstant?

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        let tape = host.tape
        var settings = try LogSettings(host.options)
        settings.useKey(of: tape)
        self.settings = settings
        let random = { UInt64.random(in: .min ... .max) }
        let seed = tape.map { UInt64(bitPattern: $0.number("seed") { Int64(bitPattern: random()) } ?? 0) } ?? random()
        // What is read at a pace depends on the machine.
        pace = tape == nil ? host.options.double("cpu_budget").flatMap(ReadingPace.init) : nil
        input = try Self.input(settings.format, host, seed: seed, isPaced: pace != nil)
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
            if !isResting { read(input) }
            if rhythm.isDue(at: host.monotonicTime) { try offer(report, input, &rhythm) }
            guard let trouble = input.trouble else {
                isTroubleReported = false
                continue
            }
            if isTroubleReported { throw trouble }
        } while wait(input, call.cancelDescriptor, until: rhythm.next) == .ready
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
            isTroubleReported = input.trouble != nil
        case .stopping: throw .cancelled
        case .busy:
            if rhythm.postpone(at: host.monotonicTime) {
                host.log(.warning, "SND-DLG008: the agent took no samples for one interval")
            }
        }
    }

    /// Whether what comes waits where it is, so that reading keeps its pace.
    private var isResting: Bool { restEnd.map { host.monotonicTime < $0 } ?? false }

    private func wait(_ input: any LogInput, _ cancel: Int32, until due: MonotonicInstant) -> Poll.Wake {
        let now = host.monotonicTime
        restEnd = restEnd.flatMap { $0 > now ? $0 : nil }
        guard let end = restEnd else { return input.wait(cancel, until: due, at: now) }
        return Poll.wait(cancel, [], max(.zero, min(end, due).since(now)))
    }

    private var now: TailInstant { TailInstant(monotonic: host.monotonicTime, wall: host.wallTime) }

    private func read(_ input: any LogInput) {
        let moment = now
        // A log of which there is more to read is behind: its own times show how much has passed.
        if input.isDrained, let lastRead { pipeline.pass(moment.monotonic.since(lastRead)) }
        lastRead = moment.monotonic
        input.read(into: pipeline, at: moment)
        news.report(pipeline)
        rest()
    }

    private func rest() {
        guard let rest = pace?.rest(at: host.monotonicTime, used: ThreadTime.now), rest > .zero else { return }
        restEnd = host.monotonicTime.advanced(by: rest)
    }

    private static func input(
        _ format: LogFormat?, _ host: PluginHost, seed: UInt64, isPaced: Bool
    ) throws(PluginError) -> (any LogInput)? {
        guard format == .dnstap else {
            guard var settings = try TailSettings(host.options) else { return nil }
            if isPaced { settings.limits.bytesPerTurn = TailLimits.pacedTurn }
            return host.tape.map { TapedInput(settings, host, $0) } ?? TailInput(settings, host)
        }
        return try DnstapSettings(host.options).map { DnstapInput($0, host, seed: seed) }
    }
}

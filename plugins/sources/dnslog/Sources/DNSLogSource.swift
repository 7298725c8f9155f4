internal import SondeDomain
internal import SondePluginKit

/// Follows the logs of resolvers and tells what they come to.
final class DNSLogSource: StreamingSource {
    let host: PluginHost
    private let tail: LogTail?
    private let pipeline: LogPipeline
    private let settings: LogSettings
    private var streams: [FileID: LogStream] = [:]
    private var report: LogSamples?
    private var news: LogNews

    init(host: PluginHost) throws(PluginError) {
        self.host = host
        settings = try LogSettings(host.options)
        tail = try TailSettings(host.options).map { LogTail($0) }
        pipeline = LogPipeline(settings, seed: .random(in: .min ... .max))
        news = LogNews(host)
    }

    func start() throws(PluginError) {
        guard let tail else { throw TailSettings.refused("the source has no log to read", "path") }
        guard report == nil else { return }
        report = LogSamples(host, settings)
        tail.start(host.loadCheckpoint(), at: now)
    }

    func run(_ call: PluginCall) throws(PluginError) {
        guard let report, let tail else { throw PluginError("SND-DLG007", .programmer, "run was called before start") }
        var rhythm = CommitRhythm(interval: call.interval, from: host.monotonicTime)
        var settled = host.monotonicTime
        while tail.wait(call.cancelDescriptor, until: rhythm.next, at: host.monotonicTime) == .ready {
            readLines(tail)
            guard rhythm.isDue(at: host.monotonicTime) else { continue }
            settle(tail, since: &settled)
            switch report.commit(pipeline, tail) {
            case .taken:
                pipeline.startInterval()
                rhythm.advance(at: host.monotonicTime)
            case .stopping: throw .cancelled
            case .busy:
                if rhythm.postpone(at: host.monotonicTime) {
                    host.log(.warning, "SND-DLG008: the agent took no samples for one interval")
                }
            }
        }
        // The last of what was counted goes out; what is in the files beyond it is read after the next start.
        _ = report.commit(pipeline, tail)
        throw .cancelled
    }

    private var now: TailInstant { TailInstant(monotonic: host.monotonicTime, wall: host.wallTime) }

    private func readLines(_ tail: LogTail) {
        var lastID: FileID?
        var lastStream: LogStream?
        tail.readLines(at: now) { line, id in
            if id != lastID {
                lastID = id
                lastStream = stream(of: id)
            }
            if let lastStream { pipeline.take(line, lastStream) }
        }
        for event in tail.takeEvents() {
            if case .forgotten(let id) = event { streams[id] = nil }
            news.tell(event)
        }
        news.tell(pipeline)
    }

    /// Time passes for queries that wait although nothing is written.
    private func settle(_ tail: LogTail, since last: inout MonotonicInstant) {
        let moment = host.monotonicTime
        let nanoseconds = moment.since(last).value
        last = moment
        // A log of which there is more to read is behind: its own times say how much has passed.
        if tail.progress == .drained { pipeline.settle(after: nanoseconds / 1_000_000) }
    }

    private func stream(of id: FileID) -> LogStream {
        if let stream = streams[id] { return stream }
        let stream = pipeline.open()
        streams[id] = stream
        return stream
    }
}

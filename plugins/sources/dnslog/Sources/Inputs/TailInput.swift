internal import SondeDomain
internal import SondePluginKit

/// The lines of logs that are followed.
final class TailInput: LogInput {
    private let tail: LogTail
    private let news: TailNews
    private var streams: [FileID: LogStream] = [:]

    init(_ settings: TailSettings, _ host: PluginHost) {
        tail = LogTail(settings)
        news = TailNews(host)
    }

    func start(_ checkpoint: [UInt8]?, at now: TailInstant) {
        tail.start(checkpoint, at: now)
    }

    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake {
        tail.wait(cancel, until: due, at: now)
    }

    func read(into pipeline: LogPipeline, at now: TailInstant) {
        var lastID: FileID?
        var lastStream: LogStream?
        tail.readLines(at: now) { line, id in
            if id != lastID {
                lastID = id
                lastStream = stream(of: id, in: pipeline)
            }
            if let lastStream { pipeline.take(line, lastStream) }
        }
        for event in tail.takeEvents() {
            if case .forgotten(let id) = event { streams[id] = nil }
            news.tell(event)
        }
    }

    var readsLines: Bool { true }

    var isDrained: Bool { tail.progress == .drained }

    func add(to sheet: SampleSheet) {
        let counts = tail.counts
        sheet.add(LogMetrics.bytes, .unsigned(counts.bytes))
        sheet.add(LogMetrics.skipped, .unsigned(counts.tooLong))
        sheet.add(LogMetrics.rotations, .unsigned(counts.rotations))
        sheet.add(LogMetrics.truncations, .unsigned(counts.truncations))
        sheet.add(LogMetrics.files, .unsigned(UInt64(tail.openFiles)))
    }

    func checkpoint(at time: Timestamp) -> [UInt8]? { tail.checkpoint(at: time) }

    private func stream(of id: FileID, in pipeline: LogPipeline) -> LogStream {
        if let stream = streams[id] { return stream }
        let stream = pipeline.open()
        streams[id] = stream
        return stream
    }
}

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
        var state: UnsafeMutablePointer<LogStream.State>?
        // The closure holds no reference, of which each line would count one up and down; both live through the call.
        let (owner, taker) = (Unmanaged.passUnretained(self), Unmanaged.passUnretained(pipeline))
        tail.readLines(at: now) { line, id in
            if id != lastID {
                lastID = id
                state = owner._withUnsafeGuaranteedRef { owner in
                    taker._withUnsafeGuaranteedRef { owner.stream(of: id, in: $0).state }
                }
            }
            guard let state else { return }
            taker._withUnsafeGuaranteedRef { $0.take(line, state) }
        }
        for event in tail.takeEvents() {
            if case .forgotten(let id) = event { streams[id] = nil }
            news.report(event)
        }
    }

    var readsLines: Bool { true }

    // Lines contain the client, not the resolver's address.
    var resolvers: [ResolverAddress] { [] }

    var isDrained: Bool { tail.progress == .drained }

    var trouble: PluginError? { tail.trouble.flatMap(TailNews.error) }

    func add(to sheet: SampleSheet) {
        let counts = tail.counts
        sheet.add(LogMetrics.bytes, .unsigned(counts.bytes))
        sheet.add(LogMetrics.skipped, .unsigned(counts.tooLong))
        sheet.add(LogMetrics.rotations, .unsigned(counts.rotations))
        sheet.add(LogMetrics.truncations, .unsigned(counts.truncations))
        sheet.add(LogMetrics.files, .unsigned(UInt64(tail.openFiles)))
    }

    func checkpoint(at time: Timestamp) -> [UInt8] { tail.checkpoint(at: time) }

    private func stream(of id: FileID, in pipeline: LogPipeline) -> LogStream {
        if let stream = streams[id] { return stream }
        let stream = pipeline.open()
        streams[id] = stream
        return stream
    }
}

internal import SondeDomain
internal import SondePluginKit
internal import SondeWire

/// The lines of logs that are followed and recorded, or that were.
final class TapedInput: LogInput {
    private static let numberSize = 4

    private let tape: SourceTape
    /// Nil when replaying.
    private let tail: LogTail?
    private let news: TailNews
    private let privacy: LinePrivacy?
    private var streams: [UInt32: LogStream] = [:]
    private var state = [UInt64](repeating: 0, count: 6)

    init(_ settings: TailSettings, _ host: PluginHost, _ tape: SourceTape) {
        self.tape = tape
        tail = tape.mode == .recording ? LogTail(settings) : nil
        news = TailNews(host)
        privacy = tape.secret.flatMap(Pseudonyms.init).map(LinePrivacy.init)
    }

    func start(_ checkpoint: [UInt8]?, at now: TailInstant) { tail?.start(checkpoint, at: now) }

    func wait(_ cancel: Int32, until due: MonotonicInstant, at now: MonotonicInstant) -> Poll.Wake {
        if let tail, tail.wait(cancel, until: due, at: now) == .cancelled { return .cancelled }
        return tape.step() ? .ready : .cancelled
    }

    func read(into pipeline: LogPipeline, at now: TailInstant) {
        if let tail { record(tail, pipeline, now) } else { replay(pipeline) }
    }

    var readsLines: Bool { true }

    var resolvers: [ResolverAddress] { [] }

    var isDrained: Bool { state[0] == 0 }

    // A recording has what was read.
    var trouble: PluginError? { tail.flatMap(\.trouble).flatMap(TailNews.error) }

    func add(to sheet: SampleSheet) {
        sheet.add(LogMetrics.bytes, .unsigned(state[1]))
        sheet.add(LogMetrics.skipped, .unsigned(state[2]))
        sheet.add(LogMetrics.rotations, .unsigned(state[3]))
        sheet.add(LogMetrics.truncations, .unsigned(state[4]))
        sheet.add(LogMetrics.files, .unsigned(state[5]))
    }

    func checkpoint(at time: Timestamp) -> [UInt8] { [] }

    private func record(_ tail: LogTail, _ pipeline: LogPipeline, _ now: TailInstant) {
        tail.readLines(at: now) { line, id in
            let number = UInt32(truncatingIfNeeded: id.rawValue)
            let text = privacy?.replacing(line) ?? Array(line)
            (withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) } + text).withUnsafeBytes { tape.write("line", $0) }
            text.withUnsafeBytes { pipeline.take($0, stream(number, pipeline)) }
        }
        for event in tail.takeEvents() { news.report(event) }
        let counts = tail.counts
        state = [
            tail.progress == .drained ? 0 : 1, counts.bytes, counts.tooLong, counts.rotations, counts.truncations,
            UInt64(tail.openFiles),
        ]
        state.map(\.littleEndian).withUnsafeBytes { tape.write("state", $0) }
    }

    private func replay(_ pipeline: LogPipeline) {
        while let kept = tape.read("line") {
            guard kept.count >= Self.numberSize else { continue }
            let number = UInt32(littleEndian: kept.loadUnaligned(as: UInt32.self))
            pipeline.take(UnsafeRawBufferPointer(rebasing: kept[Self.numberSize...]), stream(number, pipeline))
        }
        guard let kept = tape.read("state"), kept.count == state.count * 8 else { return }
        for index in state.indices {
            state[index] = UInt64(littleEndian: kept.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
    }

    private func stream(_ number: UInt32, _ pipeline: LogPipeline) -> LogStream {
        if let stream = streams[number] { return stream }
        let stream = pipeline.open()
        // Of the files of a recording that somebody made, not more are told apart than are followed.
        if streams.count < 1_024 { streams[number] = stream }
        return stream
    }
}

extension LogSettings {
    /// Hashes names with the key of the recording.
    mutating func useKey(of tape: SourceTape?) {
        guard let tape, case .hashed = privacy else { return }
        let halves = ["key 1", "key 2"].map { name in
            UInt64(bitPattern: tape.number(name) { .random(in: .min ... .max) } ?? 0)
        }
        privacy = .hashed(SipKey(first: halves[0], second: halves[1]))
    }
}

internal import Glibc
internal import SondeDomain
internal import SondeEngine
internal import Synchronization

/// The engine's services as a child has them: each is a frame to the agent, and what has a result waits for it.
final class ForwardedServices: SourceServices, SinkServices, EventLog {
    let clock: any Clock = SystemClock()
    private let channel: FrameChannel
    private let meanings = Mutex<[String: String]>([:])

    init(_ channel: FrameChannel) {
        self.channel = channel
    }

    func log(_ level: LogLevel, _ message: String) {
        send(.log) { writer in
            writer.append(level.rawValue)
            writer.append(text: message)
        }
    }

    func log(_ level: LogLevel, _ message: String, component: String?) { log(level, message) }

    func log(_ level: LogLevel, _ error: SondeError) { log(level, "\(error.code): \(error.message)") }

    func reportLoss(_ loss: Loss) {
        send(.loss) { $0.append(loss) }
    }

    func reportTrouble(_ error: SondeError, since: Timestamp?) -> Bool {
        ask(.trouble) { writer in
            writer.append(time: since)
            writer.append(error)
        } answer: {
            $0.flag()
        }
    }

    func clearTrouble(_ code: ErrorCode, optionPath: String?) {
        send(.clearTrouble) { writer in
            writer.append(text: code.text)
            writer.append(optional: optionPath) { $0.append(text: $1) }
        }
    }

    func openSeries(_ series: SeriesSpecification) -> UInt64 {
        ask(.openSeries) {
            $0.append(series)
        } answer: {
            $0.number(UInt64.self)
        }
    }

    func closeSeries(_ handle: UInt64) {
        send(.closeSeries) { $0.append(handle) }
    }

    func commit(_ samples: [Sample], checkpoint: [UInt8]?, rejections: [SampleRejection]) -> CommitResult {
        ask(.commit) { writer in
            writer.append(optional: checkpoint) { $0.append(counted: $1) }
            writer.append(rejections)
            writer.append(samples)
        } answer: { reader in
            switch reader.byte() {
            case 0: .taken
            case 1: .busy
            default: .stopping
            }
        }
    }

    func loadCheckpoint() -> [UInt8]? {
        ask(.loadCheckpoint) { _ in
        } answer: { reader in
            reader.optional { [UInt8]($0.counted()) }
        }
    }

    func requestTick(every period: Nanoseconds) -> Bool {
        ask(.requestTick) {
            $0.append(period.value)
        } answer: {
            $0.flag()
        }
    }

    func reject(pointOf metric: String, reason: String) {
        send(.rejectPoint) { writer in
            writer.append(text: metric)
            writer.append(text: reason)
        }
    }

    func meaning(of metric: String) -> String {
        meanings.withLock { $0[metric] ?? "" }
    }

    /// Keeps the descriptions of metrics that come with a batch: each comes once.
    func noting(_ batch: Batch) -> Batch {
        meanings.withLock { meanings in
            for series in batch.series where !series.meaning.isEmpty { meanings[series.name] = series.meaning }
        }
        return batch
    }

    private func send(_ kind: ChildFrame.Kind, _ body: (inout ByteWriter) -> Void) {
        do throws(ChannelFlaw) { try channel.send(kind, body) } catch { _exit(1) }
    }

    /// Sends a request and waits for its answer; without the agent there is nothing left to do.
    private func ask<Answer>(
        _ kind: ChildFrame.Kind, _ body: (inout ByteWriter) -> Void, answer: (inout ByteReader) -> Answer
    ) -> Answer {
        do throws(ChannelFlaw) {
            try channel.send(kind, body)
            return try channel.receive { (kind, reader) throws(ChannelFlaw) in
                guard kind == .answer else { throw .malformed("kind \(kind.rawValue)") }
                let result = answer(&reader)
                try reader.check()
                return result
            }
        } catch {
            _exit(1)
        }
    }
}

internal import Glibc
internal import SondeDomain
internal import SondeWire

/// Reads a stored stream of dnstap to its end and counts what is in it.
final class DnstapInspection {
    let pipeline: LogPipeline
    private let seed: UInt64

    init() {
        var settings = LogSettings.file
        settings.format = .dnstap
        seed = .random(in: .min ... .max)
        pipeline = LogPipeline(settings, seed: seed)
    }

    /// Reads `head` and what follows it in `descriptor`, until the end or until `cancel` becomes readable.
    ///
    /// Describes in one sentence what is wrong with the end, if anything is.
    func read(_ head: [UInt8], _ descriptor: Int32, cancel: Int32) throws(LogInspection.Failure) -> String? {
        var file = DnstapFile(descriptor)
        var decoder = DnstapDecoder(seed: seed)
        let stream = pipeline.open()
        let isCancelled = { Poll.wait(cancel, [], .zero) == .cancelled }
        let end = file.read(head: head, isCancelled: isCancelled) { frame in
            let event = decoder.event(frame)
            pipeline.take(event, at: decoder.time, stream)
        }
        pipeline.finish()
        switch end {
        case .whole: return nil
        case .cutOff: return "the stream does not end as it should: it is still written to, or was cut"
        case .broken: return "the stream is broken: what follows cannot be read"
        case .failed(let number): throw .unreadable(number)
        case .cancelled: throw .cancelled
        }
    }
}

import SondeWire

@testable import DNSLogPlugin

/// Input for fuzzing dnstap: a stream as a sender or a file has it, and a message by itself.
enum DnstapFuzzInput {
    private struct Reading: Equatable {
        var sizes: [Int] = []
        var replies = 0
        var end = "more"
    }

    /// Reads `bytes` as a stream, at once and in two pieces, and as one message; names what does not add up.
    static func brokenInvariants(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var broken = misfits(bytes)
        let whole = read([bytes])
        // Where the stream is cut must not matter: everywhere in a short one, at some places in a long one.
        for place in stride(from: 1, to: bytes.count, by: max(bytes.count / 16, 1)) {
            let pieces = [
                UnsafeRawBufferPointer(rebasing: bytes[..<place]), UnsafeRawBufferPointer(rebasing: bytes[place...]),
            ]
            if read(pieces) != whole { broken.append("cut at \(place), the stream is another one") }
        }
        return broken
    }

    private static func read(_ pieces: [UnsafeRawBufferPointer]) -> Reading {
        var stream = FrameStream()
        var waiting: [UInt8] = []
        var reading = Reading()
        for piece in pieces {
            waiting += piece
            while reading.end == "more" {
                let (used, step) = waiting.withUnsafeBytes { raw in stream.take(raw) { reading.sizes.append($0.count) }
                }
                waiting.removeFirst(min(used, waiting.count))
                switch step {
                case .needsMore: break
                case .reply:
                    reading.replies += 1
                    continue
                case .ended: reading.end = "ended"
                case .broken: reading.end = "broken"
                }
                break
            }
        }
        return reading
    }

    /// Feeds the message and the frames of the stream to a pipeline, as the source does.
    private static func misfits(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var settings = LogSettings(top: 5)
        settings.format = .dnstap
        let pipeline = LogPipeline(settings, seed: 1)
        let stream = pipeline.open()
        var decoder = DnstapDecoder(seed: 1)
        var frames: UInt64 = 0
        let take: (WireBytes) -> Void = { frame in
            frames += 1
            let event = decoder.event(frame)
            pipeline.take(event, at: decoder.time, stream)
        }
        take(WireBytes(bytes))
        var reader = FrameStream()
        _ = reader.take(bytes, take)
        pipeline.finish()
        var broken: [String] = []
        pipeline.withEach { analysis in
            broken += LogFuzzInput.misfits(analysis)
            if analysis.totals.lines != frames {
                broken.append("\(analysis.totals.lines) of \(frames) frames are counted")
            }
        }
        return broken
    }
}

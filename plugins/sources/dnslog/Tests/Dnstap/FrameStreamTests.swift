import SondeTestKit
import SondeWire
import Testing

@testable import DNSLogPlugin

/// Frame Streams, byte by byte.
@Suite struct FrameStreamTests {
    /// A stream, fed in pieces as a socket would feed it.
    private struct Feed {
        var stream = FrameStream()
        var frames: [[UInt8]] = []
        var replies: [[UInt8]] = []
        var end = ""
        private var kept: [UInt8] = []

        mutating func send(_ bytes: [UInt8]) {
            kept += bytes
            while end.isEmpty {
                var found: [[UInt8]] = []
                let (used, step) = kept.withUnsafeBytes { raw in stream.take(raw) { found.append(Array($0.buffer)) } }
                kept.removeFirst(used)
                frames += found
                switch step {
                case .needsMore: return
                case .reply(let bytes): replies.append(bytes)
                case .ended(let bytes):
                    if !bytes.isEmpty { replies.append(bytes) }
                    end = "ended"
                case .broken: end = "broken"
                }
            }
        }
    }

    private static let start = ControlFrame.bytes(.start, content: .dnstap)
    private static let ready = ControlFrame.bytes(.ready, content: .dnstap)
    private static let stop = ControlFrame.bytes(.stop)
    private static let payloads: [[UInt8]] = [[1], [2, 2], [UInt8](repeating: 3, count: 70_000)]
    private static let data = payloads.flatMap(DnstapBuilder.frame)

    @Test func bothDirections() {
        var feed = Feed()
        feed.send(Self.ready)
        #expect(feed.replies == [ControlFrame.bytes(.accept, content: .dnstap)])
        feed.send(Self.start + Self.data)
        #expect(feed.frames == Self.payloads)
        #expect(feed.stream.isOpen)
        feed.send(Self.stop)
        #expect(feed.end == "ended")
        #expect(feed.replies.last == ControlFrame.bytes(.finish))
    }

    @Test func oneDirection() {
        var feed = Feed()
        feed.send(Self.start + Self.data + Self.stop)
        #expect(feed.frames == Self.payloads)
        #expect(feed.replies.isEmpty)
        #expect(feed.end == "ended")
    }

    @Test func cutAnywhereItIsTheSame() {
        let all = Self.ready + Self.start + DnstapBuilder.frame([1]) + DnstapBuilder.frame([2, 2]) + Self.stop
        for cut in all.indices {
            var feed = Feed()
            feed.send(Array(all[..<cut]))
            feed.send(Array(all[cut...]))
            #expect(feed.frames == [[1], [2, 2]])
            #expect(feed.end == "ended")
        }
        var feed = Feed()
        for byte in all { feed.send([byte]) }
        #expect(feed.frames == [[1], [2, 2]])
    }

    @Test func theAcceptedContentIsOneThatWasOffered() {
        var unnamed = Feed()
        unnamed.send(ControlFrame.bytes(.ready))
        #expect(unnamed.replies == [ControlFrame.bytes(.accept)])
        let other = DnstapBuilder.number32(1) + DnstapBuilder.number32(5) + Array("other".utf8)
        let both = ControlFrame.bytes(.ready, content: .dnstap).dropFirst(12)
        let body = DnstapBuilder.number32(4) + other + both
        var many = Feed()
        many.send([0, 0, 0, 0] + DnstapBuilder.number32(UInt32(body.count)) + body)
        #expect(many.replies == [ControlFrame.bytes(.accept, content: .dnstap)])
        let foreign = DnstapBuilder.number32(4) + other
        var alone = Feed()
        alone.send([0, 0, 0, 0] + DnstapBuilder.number32(UInt32(foreign.count)) + foreign)
        #expect(alone.end == "broken")
    }

    @Test(arguments: [
        DnstapBuilder.frame([1]), ready + DnstapBuilder.frame([1]), ready + ready, start + start, stop,
        ControlFrame.bytes(.accept), ControlFrame.bytes(.finish), [0, 0, 0, 0, 0, 0, 0, 3],
        [0, 0, 0, 0, 0, 0, 2, 1], [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 9], Array("GET / HTTP/1.1\r\n".utf8),
    ])
    func whatIsOutOfOrderIsBroken(_ bytes: [UInt8]) {
        var feed = Feed()
        feed.send(bytes)
        #expect(feed.end == "broken")
        #expect(feed.frames.isEmpty)
    }

    @Test func aFrameThatIsTooLongIsLeftOutAndCounted() {
        let long = FrameStream.longestFrame + 1
        var feed = Feed()
        feed.send(Self.start + DnstapBuilder.number32(UInt32(long)))
        feed.send([UInt8](repeating: 9, count: 100_000))
        feed.send([UInt8](repeating: 9, count: long - 100_000) + DnstapBuilder.frame([1]))
        #expect(feed.frames == [[1]])
        #expect(feed.stream.tooLong == 1)
        #expect(feed.stream.frames == 1)
    }

    @Test func aFrameOfFourGigabytesTakesNoRoom() {
        var feed = Feed()
        feed.send(Self.start + DnstapBuilder.number32(.max))
        for _ in 0..<50 { feed.send([UInt8](repeating: 0, count: 100_000)) }
        #expect(feed.end == "")
        #expect(feed.frames.isEmpty)
    }

    @Test func noChangeOfAByteHandsOnMoreBytesThanCame() {
        let all = Self.ready + Self.start + DnstapBuilder.frame([1, 1, 1]) + DnstapBuilder.frame([2, 2]) + Self.stop
        for index in all.indices {
            for bit in 0..<8 {
                var changed = all
                changed[index] ^= 1 << UInt8(bit)
                var feed = Feed()
                feed.send(changed)
                #expect(feed.frames.reduce(0) { $0 + 4 + $1.count } <= all.count)
            }
        }
    }
}

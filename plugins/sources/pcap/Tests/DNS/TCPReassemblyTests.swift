import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct TCPReassemblyTests {
    private static func message(_ index: Int, answers: Int = 0) -> [UInt8] {
        (0..<answers).reduce(DNSMessageBuilder(id: UInt16(index & 0xffff), flags: 0x8180).asking("n\(index).example")) {
            builder, _ in builder.answering(type: 16, data: [UInt8](repeating: 7, count: 100))
        }.bytes
    }

    private static func framed(_ message: [UInt8]) -> [UInt8] {
        DNSMessageBuilder.number(UInt16(message.count)) + message
    }

    @Test func aMessageInOneSegmentIsReadWhereItLies() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Self.framed(Self.message(1)))
        #expect(stream.messages == [Self.message(1)])
        #expect(stream.held == 0)
    }

    @Test func severalMessagesInOneSegmentAreTakenApart() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Self.framed(Self.message(1)) + Self.framed(Self.message(2)) + Self.framed(Self.message(3)))
        #expect(stream.messages == (1...3).map { Self.message($0) })
    }

    @Test func messagesMayBeSplitAnywhere() {
        let bytes = Self.framed(Self.message(1)) + Self.framed(Self.message(2, answers: 3))
        for cut in 1..<bytes.count {
            var stream = StreamUnderTest()
            stream.open()
            stream.send(Array(bytes[..<cut]))
            stream.send(Array(bytes[cut...]))
            #expect(stream.messages == [Self.message(1), Self.message(2, answers: 3)], "cut at \(cut)")
            #expect(stream.held == 0)
        }
    }

    @Test func messagesMayComeByteByByte() {
        var stream = StreamUnderTest()
        stream.open()
        for byte in Self.framed(Self.message(1)) + Self.framed(Self.message(2)) { stream.send([byte]) }
        #expect(stream.messages == [Self.message(1), Self.message(2)])
    }

    @Test func segmentsMayComeOutOfOrderAndTwice() {
        let bytes = Self.framed(Self.message(1)) + Self.framed(Self.message(2, answers: 5))
        var stream = StreamUnderTest()
        stream.open()
        for range in [40..<200, 0..<10, 0..<10, 300..<bytes.count, 5..<60, 200..<300, 100..<250, 0..<bytes.count] {
            stream.send(Array(bytes[range]), at: range.lowerBound)
        }
        #expect(stream.messages == [Self.message(1), Self.message(2, answers: 5)])
        #expect(stream.counts.gaps == 0)
        #expect(stream.held == 0)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func randomSegmentsGiveEveryMessageOnceAndInOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let messages = (0..<60).map { Self.message($0, answers: Int.random(in: 0...12, using: &generator)) }
        let bytes = messages.flatMap(Self.framed)
        var segments: [Range<Int>] = []
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + Int.random(in: 1...1400, using: &generator))
            segments.append(max(0, position - Int.random(in: 0...30, using: &generator))..<end)
            if Int.random(in: 0..<10, using: &generator) == 0 { segments.append(position..<end) }
            position = end
        }
        // Neighbours change places: no segment is more than three places late.
        for index in segments.indices.dropLast(3) where Bool.random(using: &generator) {
            segments.swapAt(index, index + Int.random(in: 1...3, using: &generator))
        }
        // Close to the end of the numbers, so that they wrap.
        var stream = StreamUnderTest(start: UInt32.max - 5000)
        stream.open()
        for range in segments { stream.send(Array(bytes[range]), at: range.lowerBound) }
        #expect(stream.messages == messages)
        #expect(stream.counts.gaps == 0)
    }

    @Test func aMessageThatTheCaptureCutIsHandedOutAsFarAsItGoes() {
        let long = Self.message(1, answers: 10)
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Self.framed(long), captured: 200)
        stream.send(Self.framed(Self.message(2)))
        #expect(stream.messages == [Array(long.prefix(198)), Self.message(2)])
        #expect(stream.wireLengths == [long.count, Self.message(2).count])
    }

    @Test func aMessageWhoseLengthCameAloneMayBeCutToo() {
        let long = Self.message(1, answers: 10)
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Array(Self.framed(long).prefix(2)))
        stream.send(long, captured: 200)
        stream.send(Self.framed(Self.message(2)))
        #expect(stream.messages == [Array(long.prefix(200)), Self.message(2)])
    }

    @Test func aMessageBehindACutOneIsFoundInTheNextSegment() {
        let long = Self.message(1, answers: 10)
        var stream = StreamUnderTest()
        stream.open()
        // The second message's length was not captured: it is lost, the third is not.
        stream.send(Self.framed(long) + Self.framed(Self.message(2)), captured: 200)
        stream.send(Self.framed(Self.message(3)))
        #expect(stream.messages == [Array(long.prefix(198)), Self.message(3)])
    }

    @Test func aStreamThatIsJoinedLateIsReadFromTheNextMessage() {
        var stream = StreamUnderTest()
        stream.send([UInt8](repeating: 0xee, count: 40))
        stream.send(Self.framed(Self.message(1)))
        #expect(stream.messages == [Self.message(1)])
        #expect(stream.counts.unsynchronized == 1)
    }

    @Test func lostBytesEndAMessageAndTheNextOneIsFound() {
        let long = Self.message(1, answers: 40)
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Array(Self.framed(long).prefix(1000)))
        stream.position += 500
        stream.send(Array(Self.framed(long).dropFirst(1500)) + Self.framed(Self.message(2)))
        #expect(stream.messages.isEmpty)
        stream.time += 2 * second
        stream.send(Self.framed(Self.message(3)))
        #expect(stream.messages == [Array(long.prefix(998)), Self.message(2), Self.message(3)])
        #expect(stream.counts.gaps == 1)
        #expect(stream.counts.incomplete == 1)
    }

    @Test func whatCameBehindALostLengthIsReadWhenTheWaitIsOver() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send(Self.framed(Self.message(1)))
        stream.position += 77
        stream.send(Self.framed(Self.message(2)) + Self.framed(Self.message(3)))
        #expect(stream.messages == [Self.message(1)])
        stream.time += 2 * second
        stream.send(Self.framed(Self.message(4)))
        stream.send(Self.framed(Self.message(5)))
        #expect(stream.messages == (1...5).map { Self.message($0) })
        #expect(stream.waited == [false, true, true, false, false])
        #expect(stream.counts.gaps == 1)
    }

    @Test func aStretchBehindALostLengthThatIsNoMessageIsSkipped() {
        var stream = StreamUnderTest()
        stream.open()
        stream.position += 77
        stream.send([UInt8](repeating: 0xee, count: 40))
        stream.position += 30
        stream.send(Self.framed(Self.message(1)))
        stream.time += 2 * second
        stream.send(Self.framed(Self.message(2)))
        #expect(stream.messages == [Self.message(1), Self.message(2)])
        #expect(stream.counts.unsynchronized == 1)
        #expect(stream.held == 0)
    }

    @Test func theEndOfAStreamEndsTheWaitForLostBytes() {
        var stream = StreamUnderTest()
        stream.open()
        stream.position += 77
        stream.send(Self.framed(Self.message(1)))
        stream.position += 5
        stream.send(Self.framed(Self.message(2)))
        stream.send([], ends: true)
        #expect(stream.messages == [Self.message(1), Self.message(2)])
        #expect(stream.held == 0)
    }

    @Test func whatWaitsWhenNothingMoreComesIsReadToo() {
        var stream = StreamUnderTest()
        stream.open()
        stream.position += 77
        stream.send(Self.framed(Self.message(1)))
        stream.end()
        #expect(stream.messages == [Self.message(1)])
        #expect(stream.waited == [true])
        #expect(stream.followed == 0)
        #expect(stream.held == 0)
    }

    @Test func aNewConnectionOfTheSamePortsBeginsAnew() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send([0, 200, 1])
        stream.start = 77
        stream.open()
        stream.send(Self.framed(Self.message(1)))
        #expect(stream.messages == [Self.message(1)])
        #expect(stream.counts.incomplete == 1)
    }

    @Test func anEndGivesUpWhatIsHeld() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send([0, 200, 1], ends: true)
        #expect(stream.held == 0)
        #expect(stream.counts.incomplete == 1)
    }

    @Test func aQuietStreamIsForgotten() {
        var stream = StreamUnderTest()
        stream.open()
        stream.send([0, 200, 1])
        stream.time += 10 * second
        stream.expire()
        #expect(stream.followed == 1)
        stream.time += 1
        stream.expire()
        #expect(stream.followed == 0)
        #expect(stream.held == 0)
    }

    @Test func tenThousandStreamsThatAnnounceMuchHoldLittle() {
        var reassembly = TCPReassembly()
        var most = 0
        for key in 1...10_000 as ClosedRange<UInt64> {
            withWire([0xff, 0xff, 1]) { payload in
                let segment = StreamSegment(sequence: 1, opensStream: true, payload: payload, wireLength: 3)
                reassembly.push(segment, stream: key << 32, .test, now: 0)
                while reassembly.next() != nil {}
            }
            most = max(most, reassembly.byteCount)
        }
        let count = reassembly.count
        let evicted = reassembly.counts.evicted
        #expect(count == 4096)
        #expect(evicted == 10_000 - 4096)
        #expect(most <= 8 << 20)
    }

    @Test func streamsThatSendMuchStayWithinTheBoundTogether() {
        var reassembly = TCPReassembly()
        var most = 0
        let chunk = [0xff, 0xff] + [UInt8](repeating: 1, count: 1398)
        for key in 1...400 as ClosedRange<UInt64> {
            for part in 0..<45 {
                withWire(part == 0 ? chunk : [UInt8](repeating: 2, count: 1400)) { payload in
                    let segment = StreamSegment(
                        sequence: UInt32(part * 1400), opensStream: part == 0, payload: payload, wireLength: 1400)
                    reassembly.push(segment, stream: key << 32, .test, now: 0)
                    while reassembly.next() != nil {}
                }
                most = max(most, reassembly.byteCount)
            }
        }
        let evicted = reassembly.counts.evicted
        #expect(most <= 8 << 20)
        #expect(most > 4 << 20)
        #expect(evicted > 200)
    }

    @Test func aFloodOfEmptyMessagesCostsLittle() {
        var stream = StreamUnderTest()
        stream.open()
        let zeros = [UInt8](repeating: 0, count: 1400)
        for start in stride(from: 1, to: 64_000, by: 1400) { stream.send(zeros, at: start) }
        #expect(stream.messages.isEmpty)
        let clock = ContinuousClock()
        // Everything waits for the first byte. A release build takes a millisecond.
        let taken = clock.measure { stream.send([0], at: 0) }
        #expect(stream.messages.count > 32_000)
        #expect(taken < .seconds(1))
    }

    @Test func theLongestMessageFits() {
        let message = [UInt8](repeating: 9, count: 65_535)
        let bytes = Self.framed(message)
        var stream = StreamUnderTest()
        stream.open()
        for start in stride(from: 0, to: bytes.count, by: 1400) {
            stream.send(Array(bytes[start..<min(start + 1400, bytes.count)]))
        }
        #expect(stream.messages == [message])
        #expect(stream.held == 0)
    }

    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func nonsenseIsReadToSomeEnd(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stream = StreamUnderTest()
        for _ in 0..<2000 {
            var bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if bytes.count > 1, Bool.random(using: &generator) { bytes[0] = 0 }
            if Int.random(in: 0..<20, using: &generator) == 0 { stream.open() }
            stream.time += Int64.random(in: 0...second / 2, using: &generator)
            stream.send(
                bytes,
                at: Int.random(in: -100...3000, using: &generator),
                captured: Bool.random(using: &generator) ? bytes.count / 2 : nil
            )
            #expect(stream.held <= 65_537)
        }
    }
}

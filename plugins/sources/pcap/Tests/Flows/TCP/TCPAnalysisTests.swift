import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

/// One connection, of which each rule sees a few segments.
///
/// Its handshake takes 2 ms.
@Suite struct TCPAnalysisTests {
    private static let client = TrafficUnderTest.client
    private static let server = TrafficUnderTest.server

    /// The counts of a connection after its handshake and these segments.
    private func counts(_ send: (TrafficUnderTest) -> Void) -> TCPCounts {
        let traffic = TrafficUnderTest()
        traffic.handshake()
        send(traffic)
        return traffic.totals.tcp
    }

    @Test func segmentsInOrderAreNothingSpecial() {
        let counts = counts { traffic in
            for number in 0..<10 as Range<UInt32> {
                traffic.data(number * 100, 100)
                traffic.acknowledge(number * 100 + 100)
            }
        }
        #expect(counts.segments == 23 && counts.requests == 1 && counts.acceptances == 1)
        #expect(counts.allRetransmissions == 0 && counts.outOfOrder == 0 && counts.keepAlives == 0)
    }

    @Test func aSegmentThatComesAgainWasSentAgain() {
        let counts = counts { traffic in
            traffic.data(0, 100)
            traffic.wait(.milliseconds(200))
            traffic.data(0, 100)
        }
        #expect(counts.retransmissions == 1 && counts.allRetransmissions == 1)
    }

    @Test func aSegmentThatFillsAGapSoonWasOvertakenAndLaterWasSentAgain() {
        let soon = counts { traffic in
            traffic.data(100, 100)
            traffic.wait(.milliseconds(1))
            traffic.data(0, 100)
        }
        #expect(soon.outOfOrder == 1 && soon.allRetransmissions == 0)
        let late = counts { traffic in
            traffic.data(100, 100)
            traffic.wait(.milliseconds(2))
            traffic.data(0, 100)
        }
        #expect(late.outOfOrder == 0 && late.retransmissions == 1)
    }

    @Test func withoutAHandshakeThreeMillisecondsDecide() {
        for (delay, overtaken) in [(Nanoseconds(2_999_000), true), (Nanoseconds(3_000_000), false)] {
            let traffic = TrafficUnderTest()
            traffic.data(100, 100)
            traffic.wait(delay)
            traffic.data(0, 100)
            #expect((traffic.totals.tcp.outOfOrder == 1) == overtaken)
            #expect((traffic.totals.tcp.retransmissions == 1) == !overtaken)
        }
    }

    @Test func twoDuplicateAcknowledgementsMakeItFast() {
        for (repeated, delay, fast) in [(2, 1, 1), (1, 1, 0), (2, 20, 0)] as [(Int, Int64, UInt64)] {
            let counts = counts { traffic in
                traffic.data(0, 100)
                traffic.data(200, 100)
                traffic.acknowledge(100)
                for _ in 0..<repeated { traffic.acknowledge(100) }
                traffic.wait(.milliseconds(delay))
                traffic.data(100, 100)
            }
            #expect(counts.fastRetransmissions == fast)
        }
    }

    @Test func anAcknowledgedSegmentIsSentAgainForNothing() {
        let counts = counts { traffic in
            traffic.data(0, 100)
            traffic.acknowledge(100)
            traffic.data(0, 100)
        }
        #expect(counts.spuriousRetransmissions == 1 && counts.allRetransmissions == 1)
    }

    @Test(arguments: [0, 1] as [UInt32])
    func aKeepAliveIsNoRetransmission(_ length: UInt32) {
        let counts = counts { traffic in
            traffic.data(0, 100)
            traffic.acknowledge(100)
            traffic.wait(.seconds(75))
            traffic.data(99, length)
            traffic.acknowledge(100)
        }
        #expect(counts.keepAlives == 1 && counts.allRetransmissions == 0 && counts.outOfOrder == 0)
    }

    @Test func aClosedWindowIsCountedAndAskedFor() {
        let counts = counts { traffic in
            traffic.data(0, 100)
            traffic.acknowledge(100, window: 0)
            traffic.wait(.milliseconds(200))
            traffic.data(100, 1)
            traffic.acknowledge(100, window: 0)
            traffic.wait(.milliseconds(200))
            traffic.data(100, 1)
            traffic.acknowledge(100)
            traffic.data(100, 50)
        }
        #expect(counts.zeroWindows == 2 && counts.zeroWindowProbes == 2 && counts.allRetransmissions == 0)
    }

    @Test func aRESETWithoutWindowIsNoClosedWindow() {
        let counts = counts { $0.segment(.rst, sequence: 1001, window: 0) }
        #expect(counts.resets == 1 && counts.zeroWindows == 0)
    }

    @Test func aSYNAndAFINThatComeAgainWereSentAgain() {
        let traffic = TrafficUnderTest()
        traffic.segment(.syn, sequence: 1000)
        traffic.wait(.seconds(1))
        traffic.segment(.syn, sequence: 1000)
        #expect(traffic.totals.tcp.retransmissions == 1 && traffic.totals.started == 1)
        let counts = counts { traffic in
            traffic.segment([.fin, .ack], sequence: 1001, acknowledgement: 5001)
            traffic.segment([.fin, .ack], sequence: 1001, acknowledgement: 5001)
        }
        #expect(counts.finishes == 2 && counts.retransmissions == 1)
    }

    @Test func sequenceNumbersGoRound() {
        let traffic = TrafficUnderTest()
        for number in 0..<20 as Range<UInt32> {
            traffic.segment(.ack, sequence: 0xffff_fe00 &+ number &* 100, length: 100)
            traffic.wait(.milliseconds(10))
        }
        #expect(traffic.totals.tcp.allRetransmissions == 0)
        traffic.segment(.ack, sequence: 0xffff_ff00, length: 100)
        #expect(traffic.totals.tcp.retransmissions == 1)
        #expect((0xffff_ffff as UInt32).precedes(0) && !(0 as UInt32).precedes(0xffff_ffff))
    }

    @Test func aBrokenHeaderIsInNoCount() {
        let traffic = TrafficUnderTest()
        var frame = DecodedFrame.between(Self.client, Self.server, .tcp)
        frame.tcpFlags = .syn
        frame.transportFault = .headerLength
        traffic.tracker.process(frame, length: 54, at: traffic.time)
        #expect(traffic.totals.tcp == TCPCounts())
        #expect(traffic.counted.packets == 1)
    }
}

extension TrafficUnderTest {
    /// Data of the client, `offset` bytes behind its first one.
    fileprivate func data(_ offset: UInt32, _ length: UInt32) {
        segment(.ack, sequence: 1001 &+ offset, acknowledgement: 5001, length: length)
    }

    /// The server has everything before `offset`.
    fileprivate func acknowledge(_ offset: UInt32, window: UInt16 = 500) {
        segment(
            .ack,
            from: Self.server,
            to: Self.client,
            sequence: 5001,
            acknowledgement: 1001 &+ offset,
            window: window
        )
    }
}

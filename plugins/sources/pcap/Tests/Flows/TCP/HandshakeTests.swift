import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct HandshakeTests {
    private static let client = TrafficUnderTest.client
    private static let server = TrafficUnderTest.server

    /// Seconds of all handshakes together and how many there were.
    private func handshakes(_ traffic: TrafficUnderTest) -> (sum: Double?, count: UInt64?) {
        (traffic.totals.handshakes?.sum, traffic.totals.handshakes?.count)
    }

    @Test func itTakesFromTheSYNToTheLastAcknowledgement() {
        let traffic = TrafficUnderTest()
        traffic.handshake(delay: .milliseconds(15))
        #expect(handshakes(traffic) == (0.030, 1))
        #expect(traffic.totals.acceptances?.sum == 0.015)
    }

    @Test func aSYNThatIsSentAgainBeginsItAnew() {
        let traffic = TrafficUnderTest()
        traffic.segment(.syn, sequence: 1000)
        traffic.wait(.seconds(1))
        traffic.handshake()
        #expect(handshakes(traffic) == (0.002, 1))
        #expect(traffic.totals.started == 1)
    }

    @Test func dataInPlaceOfTheLastAcknowledgementCompletesIt() {
        let traffic = TrafficUnderTest()
        traffic.segment(.syn, sequence: 1000)
        traffic.segment([.syn, .ack], from: Self.server, to: Self.client, sequence: 5000, acknowledgement: 1001)
        traffic.wait(.milliseconds(7))
        traffic.segment([.psh, .ack], sequence: 1001, acknowledgement: 5001, length: 10)
        #expect(handshakes(traffic) == (0.007, 1))
    }

    @Test func segmentsThatDoNotFitCompleteNothing() {
        let traffic = TrafficUnderTest()
        traffic.segment(.syn, sequence: 1000)
        // Of another connection attempt.
        traffic.segment([.syn, .ack], from: Self.server, to: Self.client, sequence: 5000, acknowledgement: 9)
        traffic.segment(.ack, sequence: 1001, acknowledgement: 5001)
        #expect(handshakes(traffic).count == 0)
        traffic.segment([.syn, .ack], from: Self.server, to: Self.client, sequence: 5000, acknowledgement: 1001)
        traffic.segment([.rst, .ack], sequence: 1001, acknowledgement: 5001)
        #expect(handshakes(traffic).count == 0)
    }

    @Test func aConnectionThatWasThereBeforeHasNone() {
        let traffic = TrafficUnderTest()
        traffic.segment(.ack, sequence: 1001, acknowledgement: 5001)
        traffic.segment(.ack, from: Self.server, to: Self.client, sequence: 5001, acknowledgement: 1001, length: 9)
        #expect(handshakes(traffic).count == 0 && traffic.totals.acceptances?.count == 0)
    }

    @Test func aSYNAgainstAnOlderConnectionBeginsAnother() {
        let traffic = TrafficUnderTest()
        traffic.segment(.ack, from: Self.server, to: Self.client, sequence: 70, acknowledgement: 9, length: 10)
        traffic.handshake()
        #expect(traffic.totals.ended(.reused) == 1)
        #expect(traffic.totals.tcp.allRetransmissions == 0 && handshakes(traffic).count == 1)
    }

    @Test func aSYNThatWasCapturedBehindItsAnswerBelongsToIt() {
        let traffic = TrafficUnderTest()
        traffic.segment([.syn, .ack], from: Self.server, to: Self.client, sequence: 5000, acknowledgement: 1001)
        traffic.segment(.syn, sequence: 1000)
        #expect(traffic.totals.started == 1)
    }

    @Test func anotherConnectionWithTheSamePortsHasItsOwn() {
        let traffic = TrafficUnderTest()
        traffic.handshake()
        traffic.segment(.rst, sequence: 1001)
        traffic.wait(.milliseconds(500))
        traffic.handshake(delay: .milliseconds(2))
        #expect(handshakes(traffic).count == 2)
        #expect(traffic.totals.ended(.reset) == 1)
        #expect(traffic.totals.tcp.allRetransmissions == 0)
    }
}

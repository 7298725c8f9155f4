import SondeTestKit
import SondeWire
import Testing

@Suite struct FrameDecoderTests {
    /// A TCP segment with two bytes of data over IPv4 and Ethernet, written by hand.
    private let segment: [UInt8] =
        [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00]
        + [0x45, 0, 0, 42, 0, 1, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 192, 0, 2, 9]
        + [0x04, 0xd2, 0x01, 0xbb, 1, 2, 3, 4, 5, 6, 7, 8, 0x50, 0x18, 0x10, 0, 0, 0, 0, 0, 0xaa, 0xbb]

    @Test func aSegmentIsReadFromTheLinkToThePayload() {
        let frame = FrameFixture.decode(segment + [0, 0, 0, 0])
        #expect(frame.network == .ipv4)
        #expect(frame.source.description == "10.0.0.1")
        #expect(frame.destination.description == "192.0.2.9")
        #expect(frame.transport == .tcp)
        #expect(frame.sourcePort == 1234)
        #expect(frame.destinationPort == 443)
        #expect(frame.tcpFlags == [.ack, .psh])
        #expect(frame.tcpSequence == 0x0102_0304)
        #expect(frame.tcpAcknowledgement == 0x0506_0708)
        #expect(frame.tcpWindow == 4096)
        #expect(frame.tcpHeaderLength == 20)
        #expect(frame.payloadOffset == 54)
        // The padding of the Ethernet frame is no payload.
        #expect(frame.payloadLength == 2)
        #expect(frame.payloadCaptured == 2)
        #expect(frame.malformation == .none && !frame.isTruncated)
    }

    @Test func thePayloadIsAViewOfTheSameBytes() {
        segment.withUnsafeBytes { buffer in
            var frame = DecodedFrame()
            FrameDecoder.decode(WireBytes(buffer), wireLength: 56, linkType: .ethernet, into: &frame)
            #expect(Array(frame.payload(of: WireBytes(buffer)).buffer) == [0xaa, 0xbb])
        }
    }

    @Test func nothingOfTheFrameBeforeStays() {
        var frame = DecodedFrame()
        segment.withUnsafeBytes {
            FrameDecoder.decode(WireBytes($0), wireLength: 56, linkType: .ethernet, into: &frame)
        }
        let empty = WireBytes(UnsafeRawBufferPointer(start: nil, count: 0))
        FrameDecoder.decode(empty, wireLength: 0, linkType: LinkType(rawValue: 147), into: &frame)
        #expect(frame == DecodedFrame())
    }

    @Test func anUnknownLinkTypeTellsNothing() {
        let frame = FrameFixture.decode(segment, linkType: LinkType(rawValue: 147))
        #expect(frame.network == .none && frame.malformation == .none)
        #expect(frame.payloadLength == 56)
    }

    @Test func aLengthOnTheWireBelowWhatWasCapturedIsNotBelieved() {
        let frame = FrameFixture.decode(segment, wireLength: 3)
        #expect(frame.payloadCaptured == 2 && frame.payloadLength == 2)
    }

    @Test func anIPLengthBeyondTheFrameIsNotBelieved() {
        var header = IPv4Layer()
        header.totalLength = 65_535
        let bytes = PacketBuilder([EthernetLayer(), header, TCPLayer()], payload: [1, 2, 3]).bytes
        #expect(FrameFixture.decode(bytes).payloadLength == 3)
    }

    @Test func aTunnelCountsAsWhatCarriesIt() {
        let inner: [any PacketLayer] = [IPv4Layer([10, 0, 0, 1], [10, 0, 0, 2]), TCPLayer()]
        let frame = FrameFixture.decode(PacketBuilder([EthernetLayer(), IPv6Layer()] + inner).bytes)
        #expect(frame.network == .ipv6)
        #expect(frame.transport == IPProtocol(rawValue: 4))
        #expect(!frame.hasPorts && frame.hasAddresses)
        #expect(frame.payloadOffset == 54 && frame.payloadLength == 40)
    }
}

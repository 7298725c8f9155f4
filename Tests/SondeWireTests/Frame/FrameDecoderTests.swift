import SondeWire
import Testing

@Suite struct FrameDecoderTests {
    /// A TCP segment with two bytes of data over IPv4 and Ethernet, written by hand.
    private let segment: [UInt8] =
        [2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0x00]
        + [0x45, 0, 0, 42, 0, 1, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 192, 0, 2, 9]
        + [0x04, 0xd2, 0x01, 0xbb, 1, 2, 3, 4, 5, 6, 7, 8, 0x50, 0x18, 0x10, 0, 0, 0, 0, 0, 0xaa, 0xbb]

    private func decode(_ bytes: [UInt8], wireLength: UInt32? = nil, as linkType: LinkType = .ethernet) -> DecodedFrame
    {
        var frame = DecodedFrame()
        bytes.withUnsafeBytes {
            FrameDecoder.decode(
                WireBytes($0), wireLength: wireLength ?? UInt32(bytes.count), linkType: linkType, into: &frame
            )
        }
        return frame
    }

    @Test func aSegmentIsReadFromTheLinkToThePayload() {
        let frame = decode(segment + [0, 0, 0, 0])
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
        #expect(frame.payloadOffset == 54)
        // The padding of the Ethernet frame is no payload.
        #expect(frame.payloadLength == 2)
        #expect(frame.payloadCaptured == 2)
        #expect(frame.malformation == .none && !frame.isTruncated)
    }

    @Test func anUnknownLinkTypeTellsNothing() {
        #expect(decode(segment, as: LinkType(rawValue: 147)).network == .none)
        #expect(LinkType(rawValue: 147).framing == nil)
    }
}

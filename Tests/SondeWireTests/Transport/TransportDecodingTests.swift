import SondeTestKit
import SondeWire
import Testing

@Suite struct TransportDecodingTests {
    private func decode(_ transport: any PacketLayer, payload: [UInt8] = [], over ip: any PacketLayer) -> DecodedFrame {
        FrameFixture.decode(PacketBuilder([EthernetLayer(), ip, transport], payload: payload).bytes)
    }

    @Test(arguments: [0, 4, 15] as [UInt8])
    func aTCPHeaderOfAnImpossibleLengthKeepsItsPorts(_ words: UInt8) {
        var header = TCPLayer(1000, 2000)
        header.headerWords = words
        let frame = decode(header, over: IPv4Layer())
        #expect(frame.transportFault == .headerLength && frame.malformation == .none)
        #expect(frame.hasPorts && frame.destinationPort == 2000)
    }

    /// The bits from the lowest on (RFC 9293 section 3.1, RFC 3168 section 6.1).
    private static let flags: [TCPFlags] = [.fin, .syn, .rst, .psh, .ack, .urg, .ece, .cwr]

    @Test(arguments: flags.indices)
    func eachBitOfTheFlagsHasItsName(_ bit: Int) {
        let frame = decode(TCPLayer(flags: 1 << UInt8(bit)), over: IPv4Layer())
        #expect(frame.tcpFlags == Self.flags[bit])
    }

    @Test func tcpOptionsAreNoPayload() {
        var header = TCPLayer()
        header.options = [UInt8](repeating: 1, count: 40)
        let frame = decode(header, payload: [1, 2, 3], over: IPv4Layer())
        #expect(frame.tcpHeaderLength == 60 && frame.payloadLength == 3)
    }

    @Test(arguments: [0, 1, 7, 9, 65_535] as [UInt16])
    func aUDPLengthThatCannotBeIsAFault(_ length: UInt16) {
        let frame = decode(UDPLayer(length: length), over: IPv4Layer())
        #expect(frame.transportFault == .datagramLength)
        #expect(frame.hasPorts && frame.payloadLength == 0)
    }

    @Test func aUDPJumbogramSaysZero() {
        let frame = decode(UDPLayer(length: 0), payload: [1, 2], over: IPv6Layer())
        #expect(frame.transportFault == .none && frame.payloadLength == 2)
    }

    @Test func theUDPLengthEndsThePayload() {
        let frame = decode(UDPLayer(length: 10), payload: [1, 2, 3, 4], over: IPv4Layer())
        #expect(frame.transportFault == .none)
        #expect(frame.payloadLength == 2 && frame.payloadCaptured == 2)
    }

    @Test(arguments: [6, 17, 132, 1] as [UInt8])
    func aPacketTooShortForItsTransportHasNoPorts(_ number: UInt8) {
        let bytes = PacketBuilder(
            [EthernetLayer(trailer: [UInt8](repeating: 0, count: 20)), IPv4Layer()], payload: [1, 2, 3],
            payloadNumber: LayerNumber(ipProtocol: number)
        ).bytes
        let frame = FrameFixture.decode(bytes)
        #expect(frame.transportFault == .tooShort && frame.malformation == .none)
        #expect(!frame.hasPorts && !frame.hasTransportHeader)
    }

    @Test func aTransportHeaderThatTheCaptureCutHasPortsWhenTheyWereCaptured() {
        for captured in 34..<54 {
            let bytes = Array(PacketBuilder([EthernetLayer(), IPv4Layer(), TCPLayer(7, 8)]).bytes.prefix(captured))
            let frame = FrameFixture.decode(bytes, wireLength: 54)
            #expect(frame.isTruncated && frame.transportFault == .none && !frame.hasTransportHeader)
            #expect(frame.transport == .tcp && frame.hasAddresses)
            #expect(frame.hasPorts == (captured >= 38))
            #expect(frame.sourcePort == (captured >= 38 ? 7 : 0) && frame.destinationPort == (captured >= 38 ? 8 : 0))
        }
    }

    @Test func icmpTellsTypeAndCode() {
        let four = decode(ICMPLayer(.ipv4, type: 3, code: 1), over: IPv4Layer())
        #expect(four.hasTransportHeader && !four.hasPorts && four.icmpType == 3 && four.icmpCode == 1)
        let six = decode(ICMPLayer(.ipv6, type: 1, code: 4), over: IPv6Layer())
        #expect(six.hasTransportHeader && six.icmpType == 1 && six.icmpCode == 4)
    }

    @Test func icmpOfTheOtherFamilyIsNotRead() {
        #expect(!decode(ICMPLayer(.ipv6), over: IPv4Layer()).hasTransportHeader)
        #expect(!decode(ICMPLayer(.ipv4), over: IPv6Layer()).hasTransportHeader)
    }

    @Test func sctpTellsItsPorts() {
        let frame = decode(SCTPLayer(7, 8), payload: [1, 2, 3, 4], over: IPv6Layer())
        #expect(frame.hasPorts && frame.sourcePort == 7 && frame.destinationPort == 8 && frame.payloadLength == 4)
    }
}

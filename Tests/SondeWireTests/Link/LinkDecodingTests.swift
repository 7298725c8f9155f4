import SondeTestKit
import SondeWire
import Testing

@Suite struct LinkDecodingTests {
    private let packet: [any PacketLayer] = [IPv4Layer(), UDPLayer(1000, 2000)]

    private func decode(_ layers: [any PacketLayer], as linkType: LinkType = .ethernet) -> DecodedFrame {
        FrameFixture.decode(PacketBuilder(layers).bytes, linkType: linkType)
    }

    @Test func theOutermostVLANCounts() {
        let frame = decode([EthernetLayer(), VLANLayer(0xe00a, tagType: 0x88a8), VLANLayer(20)] + packet)
        #expect(frame.vlanID == 10)
        #expect(frame.vlanCount == 2)
        #expect(frame.destinationPort == 2000)
    }

    @Test func aFrameWithoutATagHasNoVLAN() {
        #expect(decode([EthernetLayer()] + packet).vlanID == nil)
    }

    @Test func tagsBeyondTheLimitAreMalformed() {
        let tags = (0...FrameLimits.vlanTags).map { VLANLayer(UInt16($0)) as any PacketLayer }
        #expect(decode([EthernetLayer()] + tags.dropLast() + packet).destinationPort == 2000)
        #expect(decode([EthernetLayer()] + tags + packet).malformation == .vlanLimit)
    }

    @Test(
        arguments: [
            [0x89, 0x26, 0, 0, 0, 0], [0x88, 0xe7] + [UInt8](repeating: 0, count: 16),
            [0x88, 0x70, 0xaa, 0xaa, 3, 0, 0, 0],
        ] as [[UInt8]])
    func tagsThatAreNoVLANsHaveALimitOfTheirOwn(_ tag: [UInt8]) {
        func frame(_ count: Int) -> DecodedFrame {
            let head = [UInt8](repeating: 2, count: 12) + [UInt8](repeatElement(tag, count: count).joined())
            return FrameFixture.decode(head + [0x08, 0] + PacketBuilder(packet).bytes)
        }
        #expect(frame(2).destinationPort == 2000 && frame(2).vlanID == nil)
        #expect(frame(3).malformation == .vlanLimit)
        #expect(frame(3_000).malformation == .vlanLimit)
    }

    /// A test, an identification, and a poll: they carry no packet, whatever stands there.
    @Test(arguments: [0xe3, 0xbf, 0x13] as [UInt8])
    func only802Point2InformationCarriesAPacket(_ control: UInt8) {
        for points in [[0xaa, 0xaa], [6, 6]] as [[UInt8]] {
            let body = points + [control, 0, 0, 0, 8, 0] + PacketBuilder(packet).bytes
            let bytes = [UInt8](repeating: 2, count: 12) + [0, UInt8(body.count)] + body
            #expect(FrameFixture.decode(bytes).network == .other)
        }
    }

    @Test func aCaptureOfSeveralInterfacesNamesTheLinkTypeOfEachFrame() {
        func frame(_ inner: UInt8, record: UInt8 = 1, length: UInt8 = 108) -> DecodedFrame {
            let head = [length, 0, 0, 0, record, 0, 0, 0, inner, 0, 0, 0] + [UInt8](repeating: 0, count: 96)
            let body = PacketBuilder([EthernetLayer()] + packet).bytes
            return FrameFixture.decode(head + body, linkType: .pktap)
        }
        #expect(frame(1).destinationPort == 2000)
        #expect(frame(1, record: 0).network == .other)
        #expect(frame(1, length: 11).malformation == .linkHeader)
    }

    @Test func aCaptureOfSeveralInterfacesWithinItselfIsNotFollowed() {
        let head: [UInt8] = [12, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0]
        let bytes = [UInt8](repeatElement(head, count: 5_000).joined())
        #expect(FrameFixture.decode(bytes, linkType: .pktap).network == .other)
    }

    @Test func whatNetfilterLoggedMayBeAnything() {
        for length in 0..<24 {
            let bytes: [UInt8] = [2, 0, 0, 0, 8, 0, 1, 0, 0, 0, 0, 0, 4, 0, 9, 0, 0x45, 0, 0, 20, 0, 0, 0, 0]
            #expect(FrameFixture.decode(Array(bytes.prefix(length)), linkType: .nflog).hasAddresses == false)
        }
        let endless = [2, 0, 0, 0] + [UInt8](repeating: 0, count: 4_096)
        #expect(FrameFixture.decode(endless, linkType: .nflog).malformation == .linkHeader)
    }

    @Test func aRadiotapHeaderMayBeAnything() {
        let endless = [0, 0, 8, 0] + [UInt8](repeating: 0xff, count: 4_096)
        #expect(FrameFixture.decode(endless, linkType: .radiotap).malformation == .linkHeader)
        for length in 0..<60 {
            let bytes = [0, 0, 9, 0, 2, 0, 0, 0, 0x10, 0x88, 0x43] + [UInt8](repeating: 0, count: 60)
            #expect(FrameFixture.decode(Array(bytes.prefix(length)), linkType: .radiotap).hasAddresses == false)
        }
    }

    /// As tshark has it.
    @Test func aPacketOfTheOtherVersionIsNotTakenForIt() {
        let six = FrameFixture.decode(PacketBuilder(packet).bytes, linkType: .ipv6)
        #expect(six.network == .other && six.malformation == .ipVersion)
        let four = FrameFixture.decode(PacketBuilder([IPv6Layer(), UDPLayer()]).bytes, linkType: .ipv4)
        #expect(four.network == .ipv4 && four.malformation == .ipVersion)
        #expect(FrameFixture.decode([0x45, 0], linkType: .ipv6).network == .other)
    }

    @Test func labelsBeyondTheLimitAreMalformed() {
        let labels = (0...FrameLimits.mplsLabels).map { UInt32($0) + 16 }
        #expect(decode([EthernetLayer(), MPLSLayer(labels.dropLast())] + packet).destinationPort == 2000)
        #expect(decode([EthernetLayer(), MPLSLayer(labels)] + packet).malformation == .mplsLimit)
    }

    @Test func labelsOverSomethingElseAreNoIP() {
        // A control word before an Ethernet frame (RFC 4385).
        let bytes = PacketBuilder([EthernetLayer(), MPLSLayer([99])], payload: [0, 0, 0, 1, 2, 3]).bytes
        let frame = FrameFixture.decode(bytes)
        #expect(frame.network == .other && frame.malformation == .none && frame.mplsCount == 1)
    }

    @Test func the8023LengthEndsThePacket() {
        let bytes = PacketBuilder([LengthFramedLayer(trailer: [9, 9, 9]), SNAPLayer()] + packet, payload: [1, 2]).bytes
        #expect(FrameFixture.decode(bytes).payloadLength == 2)
    }

    @Test func aSNAPTypeOfAnotherOrganizationIsNoIP() {
        #expect(decode([LengthFramedLayer(), SNAPLayer(organization: [0, 0, 0x0c])] + packet).network == .other)
        #expect(decode([LengthFramedLayer(), SNAPLayer(organization: [0, 0, 0xf8])] + packet).network == .ipv4)
    }

    @Test func aLogicalLinkHeaderThatEndsEarlyIsMalformed() {
        // Numbered frames have a control field of two bytes, of which the second is not there.
        let numbered = PacketBuilder([LengthFramedLayer()], payload: [0x86, 0xdd, 0x60]).bytes
        #expect(FrameFixture.decode(numbered).malformation == .llcHeader)
        #expect(FrameFixture.decode(numbered).payloadOffset == 14)
        let snap = PacketBuilder([LengthFramedLayer()], payload: [0xaa, 0xaa, 3, 0, 0, 0, 8]).bytes
        #expect(FrameFixture.decode(snap).malformation == .llcHeader)
    }

    @Test func spanningTreeIsNoIP() {
        let bytes = PacketBuilder([LengthFramedLayer()], payload: [0x42, 0x42, 3, 0, 0, 0, 0]).bytes
        let frame = FrameFixture.decode(bytes)
        #expect(frame.network == .other && frame.malformation == .none)
    }

    @Test(arguments: [0x0600, 0x05ff, 0x88cc, 0x8863, 0xffff] as [UInt16])
    func otherTypesAreNoIP(_ type: UInt16) {
        let frame = decode([EthernetLayer(typeOrLength: type)] + packet)
        #expect(frame.network == .other && frame.malformation == .none)
    }

    @Test func aFrameShorterThanItsHeaderIsMalformed() {
        #expect(FrameFixture.decode([1, 2, 3]).malformation == .linkHeader)
        #expect(FrameFixture.decode([], linkType: .linuxCooked).malformation == .linkHeader)
        #expect(FrameFixture.decode([0], linkType: .null).malformation == .linkHeader)
    }

    @Test func thePPPoELengthEndsThePacket() {
        let padded = PacketBuilder(
            [EthernetLayer(trailer: [9, 9]), PPPoELayer(), PPPLayer(), IPv4Layer(), UDPLayer()], payload: [1]
        )
        #expect(FrameFixture.decode(padded.bytes).payloadLength == 1)
        let short = decode([EthernetLayer(), PPPoELayer(length: 10), PPPLayer()] + packet)
        #expect(short.malformation == .ipHeader)
    }

    @Test func whatIsNoPPPoESessionIsMalformed() {
        #expect(decode([EthernetLayer(), PPPoELayer(code: 9), PPPLayer()] + packet).malformation == .pppoeHeader)
    }

    @Test func pppControlProtocolsAreNoIP() {
        #expect(FrameFixture.decode([0xff, 3, 0xc0, 0x21, 1, 1, 0, 4], linkType: .ppp).network == .other)
    }

    @Test func layersThatHoldEachOtherDoNotNestWithoutEnd() {
        // Cisco HDLC names PPPoE, whose PPP looks like Cisco HDLC again, over and over.
        let turn: [UInt8] = [0x0f, 0, 0x88, 0x64, 0x11, 0, 0, 1, 0xff, 0xff]
        let bytes = [[UInt8]](repeating: turn, count: 20_000).flatMap { $0 }
        let frame = FrameFixture.decode(bytes, linkType: .pppSerial)
        #expect(frame.network == .other && frame.payloadOffset < 20)
    }

    @Test(
        arguments: [
            (0, .incoming), (1, .broadcast), (2, .multicast), (3, .foreign), (4, .outgoing), (5, .unknown),
        ] as [(UInt8, DecodedFrame.Direction)])
    func aCookedHeaderTellsTheDirection(_ type: UInt8, _ direction: DecodedFrame.Direction) {
        #expect(decode([LinuxCookedLayer(.one, packetType: type)] + packet, as: .linuxCooked).direction == direction)
        let frame = decode([LinuxCookedLayer(.two, packetType: type)] + packet, as: .linuxCooked2)
        #expect(frame.direction == direction && frame.interfaceIndex == 3)
    }

    @Test func cookedNetlinkIsNoIP() {
        let frame = decode([LinuxCookedLayer(.one, deviceType: 824, protocolNumber: 0x0800)] + packet, as: .linuxCooked)
        #expect(frame.network == .other)
    }

    @Test func cooked8022IsReadAsSuch() {
        let frame = decode([LinuxCookedLayer(.one, protocolNumber: 4), SNAPLayer()] + packet, as: .linuxCooked)
        #expect(frame.destinationPort == 2000)
    }

    @Test(arguments: EndianWriter.Order.allCases, [10, 23, 24, 28, 30] as [UInt32])
    func everySystemsFamilyOfIPv6IsKnown(_ order: EndianWriter.Order, _ family: UInt32) {
        let layers: [any PacketLayer] = [LoopbackLayer(order, family: family), IPv6Layer(), UDPLayer()]
        #expect(decode(layers, as: .null).network == .ipv6)
    }

    @Test func anotherLoopbackFamilyIsNoIP() {
        #expect(decode([LoopbackLayer(.little, family: 7)] + packet, as: .null).network == .other)
    }
}

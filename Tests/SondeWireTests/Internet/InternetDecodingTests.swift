import SondeTestKit
import SondeWire
import Testing

@Suite struct InternetDecodingTests {
    private func decode(_ network: any PacketLayer, _ inner: any PacketLayer..., trailer: [UInt8] = []) -> DecodedFrame
    {
        FrameFixture.decode(PacketBuilder([EthernetLayer(trailer: trailer), network] + inner).bytes)
    }

    private func ipv4(_ change: (inout IPv4Layer) -> Void) -> IPv4Layer {
        var layer = IPv4Layer()
        change(&layer)
        return layer
    }

    private func ipv6(_ change: (inout IPv6Layer) -> Void) -> IPv6Layer {
        var layer = IPv6Layer()
        change(&layer)
        return layer
    }

    @Test func aBrokenIPv4HeaderIsMalformedAndTellsNoAddresses() {
        let cases: [(IPv4Layer, Malformation)] = [
            (ipv4 { $0.version = 6 }, .ipVersion), (ipv4 { $0.version = 0 }, .ipVersion),
            (ipv4 { $0.headerWords = 4 }, .ipHeader), (ipv4 { $0.totalLength = 19 }, .ipLength),
            (ipv4 { $0.totalLength = 1 }, .ipLength),
        ]
        for (layer, malformation) in cases {
            let frame = decode(layer, UDPLayer())
            #expect(frame.network == .ipv4)
            #expect(frame.malformation == malformation)
            #expect(!frame.hasAddresses && frame.transport == nil)
        }
    }

    @Test func anIPv4HeaderLongerThanThePacketIsMalformed() {
        #expect(decode(ipv4 { $0.headerWords = 15 }).malformation == .ipHeader)
    }

    @Test func aLengthOfZeroIsTheWholeFrame() {
        #expect(decode(ipv4 { $0.totalLength = 0 }, TCPLayer(), trailer: [1, 2, 3]).payloadLength == 3)
        #expect(decode(ipv6 { $0.payloadLength = 0 }, TCPLayer(), trailer: [1, 2, 3]).payloadLength == 3)
    }

    @Test func anIPv6PacketThatCarriesNothingHasNoPayload() {
        let frame = decode(ipv6 { $0.nextHeader = 59 }, trailer: [0, 0, 0, 0, 0, 0])
        #expect(frame.transport == .noNextHeader)
        #expect(frame.payloadLength == 0 && frame.malformation == .none)
    }

    @Test func fragmentsAreToldApart() {
        let states: [(FragmentPosition, FragmentState)] = [
            (FragmentPosition(offset: 0, moreFollow: true), .first),
            (FragmentPosition(offset: 8, moreFollow: true), .later),
            (FragmentPosition(offset: 8, moreFollow: false), .later),
            (FragmentPosition(offset: 0, moreFollow: false), .none),
        ]
        for (position, state) in states {
            for frame in [
                decode(ipv4 { $0.fragment = position }, UDPLayer()),
                decode(IPv6Layer(), IPv6FragmentLayer(fragment: position), UDPLayer()),
            ] {
                #expect(frame.fragment == state)
                #expect(frame.transport == .udp)
                #expect(frame.hasPorts == (state != .later))
                #expect(frame.malformation == .none && frame.transportFault == .none)
            }
        }
    }

    @Test func theHeadersBehindALaterFragmentAreNotRead() {
        let later = IPv6FragmentLayer(fragment: FragmentPosition(offset: 64, moreFollow: true))
        let frame = decode(IPv6Layer(), later, IPv6ExtensionLayer(60), UDPLayer())
        #expect(frame.transport == .destinationOptions && !frame.hasPorts && frame.fragment == .later)
    }

    @Test(arguments: [.hopByHop, .routing, .destinationOptions] as [IPProtocol])
    func theTransportBehindAnExtensionIsFound(_ header: IPProtocol) {
        let frame = decode(IPv6Layer(), IPv6ExtensionLayer(header.rawValue), UDPLayer(5, 6))
        #expect(frame.transport == .udp && frame.destinationPort == 6)
    }

    @Test(arguments: [135, 139, 140, 253, 254, 50, 41, 61, 255, 142] as [UInt8])
    func portsAreNotInventedBehindHeadersThatAreNotKnown(_ number: UInt8) {
        let frame = decode(IPv6Layer(), IPv6ExtensionLayer(number), UDPLayer())
        #expect(frame.transport == IPProtocol(rawValue: number))
        #expect(!frame.hasPorts && !frame.hasTransportHeader && frame.malformation == .none)
    }

    @Test func extensionsBeyondTheLimitAreMalformed() {
        let options = (0..<FrameLimits.ipExtensions).map { _ in IPv6ExtensionLayer(60) as any PacketLayer }
        let most = PacketBuilder([EthernetLayer(), IPv6Layer()] + options + [UDPLayer(5, 6)])
        #expect(FrameFixture.decode(most.bytes).destinationPort == 6)
        let more = PacketBuilder([EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(60)] + options + [UDPLayer(5, 6)])
        #expect(FrameFixture.decode(more.bytes).malformation == .extensionLimit)
        #expect(FrameFixture.decode(more.bytes).hasAddresses)
    }

    @Test func anExtensionThatReachesBeyondThePacketIsMalformed() {
        let frame = decode(IPv6Layer(), IPv6ExtensionLayer(60, length: 200), UDPLayer())
        #expect(frame.malformation == .ipExtension)
        #expect(frame.transport == .destinationOptions && !frame.hasPorts)
    }

    @Test func extensionsOfIPv6MeanNothingInIPv4() {
        let frame = decode(IPv4Layer(), IPv6ExtensionLayer(60), UDPLayer())
        #expect(frame.transport == .destinationOptions && !frame.hasPorts)
    }

    @Test(arguments: [0x00, 0x45, 0x50] as [UInt8])
    func whatIsAnnouncedAsIPv6AndIsOfAnotherVersionIsMalformedAndNoIPv6(_ first: UInt8) {
        var bytes = PacketBuilder([EthernetLayer(), IPv6Layer(), UDPLayer()]).bytes
        bytes[14] = first
        let frame = FrameFixture.decode(bytes, linkType: .ethernet)
        #expect(frame.network == .other && frame.malformation == .ipVersion)
        #expect(!frame.hasAddresses && frame.transport == nil)
    }

    @Test func aRawPacketOfNoVersionThatIsKnownIsMalformed() {
        let frame = FrameFixture.decode([0x50, 0, 0, 0], linkType: .raw)
        #expect(frame.network == .other && frame.malformation == .ipVersion)
        #expect(FrameFixture.decode([], linkType: .raw).malformation == .ipHeader)
    }

    @Test func anARPPacketThatEndsEarlyIsMalformed() {
        var packet = ARPLayer()
        packet.hardwareLength = 255
        #expect(decode(packet).malformation == .arpPacket)
        let short = Array(PacketBuilder([EthernetLayer(), ARPLayer()]).bytes.prefix(20))
        #expect(FrameFixture.decode(short).malformation == .arpPacket)
        #expect(FrameFixture.decode(short, wireLength: 60).isTruncated)
    }
}

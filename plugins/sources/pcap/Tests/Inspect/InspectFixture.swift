import SondeTestKit
import Testing

/// A capture file that a test makes.
struct InspectFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// Frames of one link type, a millisecond apart unless they have times.
    init(_ name: String, linkType: UInt16 = 1, snapLength: UInt32 = 262_144, _ frames: [[UInt8]]) {
        var file = CaptureFileBuilder(interfaces: [CaptureInterface(linkType: linkType, snapLength: snapLength)])
        for frame in frames { file.add(frame) }
        self.init(name, file.bytes)
    }

    /// Ethernet frames with their times in milliseconds.
    init(_ name: String, timed frames: [(at: UInt64, bytes: [UInt8])]) {
        var file = CaptureFileBuilder(interfaces: [CaptureInterface(resolution: 9)])
        file.frames = frames.map {
            CapturedFrame($0.bytes, time: 1_700_000_000_123_456_789 + $0.at * 1_000_000)
        }
        self.init(name, file.bytes)
    }

    static let all = traffic + links + names + tunnels
}

/// Packets of a TCP connection, DNS and ICMP, inside of any layers.
enum Exchange {
    static let client: [UInt8] = [192, 0, 2, 1]
    static let server: [UInt8] = [198, 51, 100, 2]

    /// All of it in IPv4 or IPv6 behind `outer`; the client's ports are `port` and those that follow.
    ///
    /// Segments that come again in another encapsulation have other ports: whether they are retransmissions is a matter
    /// of taste.
    static func frames(
        _ outer: [any PacketLayer] = [EthernetLayer()], six: Bool = false, port: UInt16 = 40_000
    ) -> [[UInt8]] {
        connection(outer, six: six, port: port) + [
            frame(outer, six, true, UDPLayer(port + 1, 53), query),
            frame(outer, six, false, UDPLayer(53, port + 1), response),
            frame(outer, six, true, ICMPLayer(six ? .ipv6 : .ipv4), [1, 2, 3]),
            frame(outer, six, true, UDPLayer(port + 2, 123), [UInt8](repeating: 0x23, count: 48)),
        ]
    }

    /// Handshake, request, response sent twice, and the end; then one that is refused.
    static func connection(
        _ outer: [any PacketLayer] = [EthernetLayer()], six: Bool = false, port: UInt16 = 40_000
    ) -> [[UInt8]] {
        let data = [UInt8](repeating: 0x61, count: 100)
        func segment(
            _ isClient: Bool, _ flags: UInt8, _ sequence: UInt32, _ next: UInt32, _ data: [UInt8] = []
        ) -> [UInt8] {
            var tcp = isClient ? TCPLayer(port, 80, flags: flags) : TCPLayer(80, port, flags: flags)
            tcp.sequence = sequence
            tcp.acknowledgement = next
            return frame(outer, six, isClient, tcp, data)
        }
        var refused = TCPLayer(port + 3, 81, flags: 2)
        refused.acknowledgement = 0
        return [
            segment(true, 2, 100, 0), segment(false, 0x12, 500, 101), segment(true, 0x10, 101, 501),
            segment(true, 0x18, 101, 501, data), segment(false, 0x10, 501, 201), segment(false, 0x18, 501, 201, data),
            segment(false, 0x18, 501, 201, data), segment(true, 0x10, 201, 601), segment(true, 0x11, 201, 601),
            segment(false, 0x11, 601, 202), segment(true, 0x10, 202, 602),
            frame(outer, six, true, refused), frame(outer, six, false, TCPLayer(81, port + 3, flags: 0x14)),
        ]
    }

    static func frame(
        _ outer: [any PacketLayer], _ six: Bool, _ isClient: Bool, _ transport: any PacketLayer, _ data: [UInt8] = []
    ) -> [UInt8] {
        let network: any PacketLayer
        if six {
            network = isClient ? IPv6Layer() : IPv6Layer(IPv6Layer.address(2), IPv6Layer.address(1))
        } else {
            network = isClient ? IPv4Layer(client, server) : IPv4Layer(server, client)
        }
        return PacketBuilder(outer + [network, transport], payload: data).bytes
    }

    static let query = DNSMessageBuilder(id: 7).asking("www.example.org").withEDNS().bytes
    static let response = DNSMessageBuilder(id: 7, flags: 0x8180).asking("www.example.org")
        .answering(type: 1, data: [192, 0, 2, 7]).withEDNS().bytes
}

extension InspectFixture {
    private static let traffic: [InspectFixture] = [
        InspectFixture("Ethernet", Exchange.frames()),
        InspectFixture("IPv6", Exchange.frames(six: true)),
        InspectFixture("cut inside of headers", snapLength: 60, Exchange.frames() + Exchange.frames(six: true)),
        InspectFixture("cut inside of DNS headers", snapLength: 46, datagrams),
        InspectFixture("cut at the end of DNS headers", snapLength: 53, datagrams),
        InspectFixture("cut inside of questions", snapLength: 70, Exchange.frames()),
        InspectFixture("cut inside of messages", snapLength: 76, Exchange.frames() + Exchange.frames(six: true)),
        InspectFixture("cut behind headers", snapLength: 54, Exchange.connection()),
        InspectFixture("other protocols", otherProtocols),
        InspectFixture("IPv6 extension headers", extensions),
        InspectFixture("fragments", fragments),
        InspectFixture("several interfaces", severalInterfaces),
    ]

    /// Without TCP, whose header would be cut as well.
    private static let datagrams = Array(Exchange.frames().suffix(4))

    private static let otherProtocols: [[UInt8]] = [
        PacketBuilder([EthernetLayer(trailer: [0, 0, 0]), ARPLayer()]).bytes,
        PacketBuilder([LengthFramedLayer(trailer: [0, 0]), SNAPLayer(), IPv4Layer(), UDPLayer()]).bytes,
        // A spanning tree: 802.3 with LLC.
        [1, 0x80, 0xc2, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 38, 0x42, 0x42, 3] + [UInt8](repeating: 0, count: 43),
        PacketBuilder([EthernetLayer(), IPv4Layer(), SCTPLayer()]).bytes,
        PacketBuilder([EthernetLayer(), IPv4Layer(), UDPLayer(68, 67)], payload: [1, 1, 6, 0]).bytes,
        PacketBuilder([EthernetLayer(), IPv4Layer(), UDPLayer(137, 137)], payload: netbios).bytes,
        PacketBuilder([EthernetLayer(), IPv4Layer(), UDPLayer(53, 40_000)]).bytes,
    ]

    private static let netbios =
        DNSMessageBuilder(id: 9, flags: 0x0110).asking(
            wireName: [32] + [UInt8](repeating: 0x43, count: 32) + [0], type: 32
        )
        .bytes

    private static let extensions: [[UInt8]] = [
        PacketBuilder([EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(0), ICMPLayer(.ipv6, type: 143)]).bytes,
        PacketBuilder(
            [EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(60), UDPLayer(40_000, 53)], payload: Exchange.query
        )
        .bytes,
        PacketBuilder([EthernetLayer(), IPv6Layer(), AuthenticationLayer(), TCPLayer(40_000, 22, flags: 2)]).bytes,
    ]

    private static let fragments: [[UInt8]] = {
        let ping = [UInt8](repeating: 7, count: 100)
        return PacketBuilder([EthernetLayer(), IPv4Layer(), ICMPLayer(.ipv4)], payload: ping).fragments(of: 48)
            + PacketBuilder([EthernetLayer(), IPv6Layer(), ICMPLayer(.ipv6)], payload: ping).fragments(of: 48)
            + PacketBuilder([EthernetLayer(), IPv4Layer(), TCPLayer()], payload: ping).fragments(of: 48)
    }()

    private static let severalInterfaces: [UInt8] = {
        var file = CaptureFileBuilder(
            .pcapng,
            interfaces: [
                CaptureInterface(resolution: 9), CaptureInterface(linkType: 113),
                CaptureInterface(linkType: 101, resolution: 0x94),
            ]
        )
        for frame in Exchange.frames() { file.add(frame) }
        for frame in Exchange.frames([LinuxCookedLayer(.one)], port: 41_000) { file.add(frame, interface: 1) }
        for frame in Exchange.frames([], six: true) { file.add(frame, interface: 2) }
        return file.bytes
    }()

    /// Ethernet frames to be sent: plain, VLAN, IPv6, fragments.
    static let recordable =
        Exchange.frames() + Exchange.frames([EthernetLayer(), VLANLayer(100)], port: 41_000)
        + Exchange.frames(six: true) + otherProtocols + extensions + fragments

    /// Frames with two tags, which the kernel garbles for captures without link headers: the inner tag is left before IP.
    static let doubleTagged =
        Exchange.frames([EthernetLayer(), VLANLayer(1000, tagType: 0x88a8), VLANLayer(200)], port: 42_000)

    private static let links: [InspectFixture] =
        [
            InspectFixture("VLAN", Exchange.frames([EthernetLayer(), VLANLayer(100)])),
            InspectFixture(
                "QinQ", Exchange.frames([EthernetLayer(), VLANLayer(1000, tagType: 0x88a8), VLANLayer(200)], six: true)),
            InspectFixture("MPLS", Exchange.frames([EthernetLayer(), MPLSLayer([16, 17])])),
            InspectFixture("PPPoE", Exchange.frames([EthernetLayer(), PPPoELayer(), PPPLayer()])),
            InspectFixture("PPP", linkType: 9, Exchange.frames([PPPLayer(.framed)])),
            InspectFixture("Cisco HDLC", linkType: 104, Exchange.frames([PPPLayer(.cisco)])),
            InspectFixture("cooked", linkType: 113, Exchange.frames([LinuxCookedLayer(.one)])),
            InspectFixture("cooked 2", linkType: 276, Exchange.frames([LinuxCookedLayer(.two)], six: true)),
            InspectFixture("raw", linkType: 101, Exchange.frames([]) + Exchange.frames([], six: true)),
            InspectFixture("null", linkType: 0, Exchange.frames([LoopbackLayer(.little)])),
            InspectFixture("loop", linkType: 108, Exchange.frames([LoopbackLayer(.big)])),
            InspectFixture("IPv4 alone", linkType: 228, Exchange.frames([])),
            InspectFixture(
                "IPv6 alone", linkType: 229, Exchange.frames([], six: true) + Exchange.frames([], port: 42_000)),
        ] + wrapped
}

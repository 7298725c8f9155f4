import SondeTestKit
import SondeWire
import Testing

/// A frame with its link type.
struct FrameFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let linkType: LinkType
    let bytes: [UInt8]

    var testDescription: String { name }

    init(_ name: String, on linkType: LinkType = .ethernet, bytes: [UInt8]) {
        self.name = name
        self.linkType = linkType
        self.bytes = bytes
    }

    init(_ name: String, on linkType: LinkType = .ethernet, _ layers: any PacketLayer...) {
        self.init(name, on: linkType, bytes: PacketBuilder(layers, payload: Array("sonde data".utf8)).bytes)
    }

    /// The frame decoded, with as much captured as `captured` says.
    func decoded(captured: Int? = nil, wireLength: Int? = nil) -> DecodedFrame {
        Self.decode(
            Array(bytes.prefix(captured ?? bytes.count)), wireLength: wireLength ?? bytes.count, linkType: linkType
        )
    }

    static func decode(_ bytes: [UInt8], wireLength: Int? = nil, linkType: LinkType = .ethernet) -> DecodedFrame {
        var frame = DecodedFrame()
        bytes.withUnsafeBytes {
            FrameDecoder.decode(
                WireBytes($0), wireLength: UInt32(wireLength ?? bytes.count), linkType: linkType, into: &frame
            )
        }
        return frame
    }
}

extension FrameFixture {
    /// Sound frames of every kind that is decoded.
    static let all = ethernet + links + versionSix + fragments + wrapped

    private static let ethernet: [FrameFixture] = [
        FrameFixture("TCP", EthernetLayer(), IPv4Layer(), tcpWithOptions),
        FrameFixture("UDP", EthernetLayer(), IPv4Layer(), UDPLayer()),
        FrameFixture("UDP with padding", EthernetLayer(trailer: [0, 0, 0, 0, 0]), IPv4Layer(), UDPLayer()),
        FrameFixture("ICMP", EthernetLayer(), IPv4Layer(), ICMPLayer(.ipv4)),
        FrameFixture("SCTP", EthernetLayer(), IPv4Layer(), SCTPLayer()),
        FrameFixture("IPv4 options", EthernetLayer(), ipv4WithOptions, TCPLayer()),
        FrameFixture("IPv4 segmentation offload", EthernetLayer(), unsegmented, TCPLayer()),
        FrameFixture("IPv4 authentication", EthernetLayer(), IPv4Layer(), AuthenticationLayer(), UDPLayer()),
        FrameFixture("ARP", bytes: PacketBuilder([EthernetLayer(trailer: [0, 0, 0]), ARPLayer()]).bytes),
        FrameFixture("VLAN", EthernetLayer(), VLANLayer(100), IPv4Layer(), TCPLayer()),
        FrameFixture(
            "QinQ", EthernetLayer(), VLANLayer(1000, tagType: 0x88a8), VLANLayer(200), IPv4Layer(), UDPLayer()),
        FrameFixture(
            "old QinQ", EthernetLayer(), VLANLayer(7, tagType: 0x9100), VLANLayer(8), IPv4Layer(), UDPLayer()),
        FrameFixture(
            "three tags", EthernetLayer(), VLANLayer(1), VLANLayer(2), VLANLayer(3), IPv6Layer(), TCPLayer()),
        FrameFixture("priority tag", EthernetLayer(), VLANLayer(0xa000), IPv4Layer(), TCPLayer()),
        FrameFixture("SNAP", LengthFramedLayer(trailer: [0, 0]), SNAPLayer(), IPv4Layer(), UDPLayer()),
        FrameFixture("MPLS", EthernetLayer(), MPLSLayer([16, 17]), IPv4Layer(), TCPLayer()),
        FrameFixture("MPLS with IPv6", EthernetLayer(), MPLSLayer([21, 22, 23, 24]), IPv6Layer(), TCPLayer()),
        FrameFixture("PPPoE", EthernetLayer(), PPPoELayer(), PPPLayer(), IPv4Layer(), TCPLayer()),
        FrameFixture("PPPoE with IPv6", EthernetLayer(), PPPoELayer(), PPPLayer(), IPv6Layer(), UDPLayer()),
    ]

    private static let links: [FrameFixture] = [
        FrameFixture("PPP", on: .ppp, PPPLayer(), IPv4Layer(), TCPLayer()),
        FrameFixture("PPP compressed", on: .ppp, PPPLayer(.compressed), IPv4Layer(), TCPLayer()),
        FrameFixture("PPP framed", on: .ppp, PPPLayer(.framed), IPv6Layer(), UDPLayer()),
        FrameFixture("PPP with MPLS", on: .ppp, PPPLayer(.framed), MPLSLayer([9]), IPv4Layer(), UDPLayer()),
        FrameFixture("PPP serial", on: .pppSerial, PPPLayer(.framed), IPv4Layer(), UDPLayer()),
        FrameFixture("Cisco HDLC", on: .pppSerial, PPPLayer(.cisco), IPv4Layer(), UDPLayer()),
        FrameFixture("C_HDLC", on: .ciscoHDLC, PPPLayer(.cisco), IPv6Layer(), TCPLayer()),
        FrameFixture("PPP ether", on: .pppEther, PPPoELayer(), PPPLayer(), IPv4Layer(), TCPLayer()),
        FrameFixture("cooked", on: .linuxCooked, LinuxCookedLayer(.one), IPv4Layer(), TCPLayer()),
        FrameFixture(
            "cooked VLAN", on: .linuxCooked, LinuxCookedLayer(.one, packetType: 4), VLANLayer(5), IPv6Layer(),
            TCPLayer()),
        FrameFixture("cooked 2", on: .linuxCooked2, LinuxCookedLayer(.two, packetType: 4), IPv4Layer(), UDPLayer()),
        FrameFixture(
            "cooked 2 ARP", on: .linuxCooked2, bytes: PacketBuilder([LinuxCookedLayer(.two), ARPLayer()]).bytes),
        FrameFixture("raw", on: .raw, IPv4Layer(), TCPLayer()),
        FrameFixture("raw with IPv6", on: .raw, IPv6Layer(), UDPLayer()),
        FrameFixture("raw 12", on: LinkType(rawValue: 12), IPv4Layer(), TCPLayer()),
        FrameFixture("IPv4 link", on: .ipv4, IPv4Layer(), UDPLayer()),
        FrameFixture("IPv6 link", on: .ipv6, IPv6Layer(), TCPLayer()),
        FrameFixture("null, little-endian", on: .null, LoopbackLayer(.little), IPv4Layer(), TCPLayer()),
        FrameFixture("null, big-endian", on: .null, LoopbackLayer(.big), IPv4Layer(), TCPLayer()),
        FrameFixture("null of FreeBSD", on: .null, LoopbackLayer(.little, family: 28), IPv6Layer(), UDPLayer()),
        FrameFixture("loop", on: .loop, LoopbackLayer(.big, family: 24), IPv6Layer(), UDPLayer()),
    ]

    private static let versionSix: [FrameFixture] = [
        FrameFixture("IPv6", EthernetLayer(), IPv6Layer(), tcpWithOptions),
        FrameFixture("ICMPv6", EthernetLayer(), IPv6Layer(), ICMPLayer(.ipv6)),
        FrameFixture("hop-by-hop", EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(0), ICMPLayer(.ipv6, type: 143)),
        FrameFixture("routing", EthernetLayer(), IPv6Layer(), routing, TCPLayer()),
        FrameFixture("destination options", EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(60), UDPLayer()),
        FrameFixture("IPv6 authentication", EthernetLayer(), IPv6Layer(), AuthenticationLayer(), TCPLayer()),
        FrameFixture(
            "all extensions",
            EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(0), IPv6ExtensionLayer(60), routing, atomic,
            AuthenticationLayer(), IPv6ExtensionLayer(60), UDPLayer()
        ),
        FrameFixture(
            "no next header", EthernetLayer(), IPv6Layer(), IPv6ExtensionLayer(60, content: [1, 4, 0, 0, 0, 0])),
        FrameFixture("IPv6 segmentation offload", EthernetLayer(), unsegmentedSix, TCPLayer()),
    ]

    private static let fragments =
        fragments("IPv4", EthernetLayer(), IPv4Layer(), UDPLayer())
        + fragments("IPv6", EthernetLayer(), IPv6Layer(), TCPLayer())

    private static func fragments(_ name: String, _ layers: any PacketLayer...) -> [FrameFixture] {
        PacketBuilder(layers, payload: [UInt8](repeating: 7, count: 60)).fragments(of: 32).enumerated().map {
            FrameFixture("\(name) fragment \($0.offset)", bytes: $0.element)
        }
    }

    private static var tcpWithOptions: TCPLayer {
        var layer = TCPLayer(51000, 443, flags: 0x12)
        layer.options = [2, 4, 5, 0xb4, 1, 3, 3, 7]
        return layer
    }

    private static var ipv4WithOptions: IPv4Layer {
        var layer = IPv4Layer()
        layer.options = [0x94, 4, 0, 0]
        return layer
    }

    private static var unsegmented: IPv4Layer {
        var layer = IPv4Layer()
        layer.totalLength = 0
        return layer
    }

    private static var unsegmentedSix: IPv6Layer {
        var layer = IPv6Layer()
        layer.payloadLength = 0
        return layer
    }

    private static var routing: IPv6ExtensionLayer {
        // Type 0 with no address left to visit.
        IPv6ExtensionLayer(43, content: [0, 0, 0, 0, 0, 0] + IPv6Layer.address(9))
    }

    private static var atomic: IPv6FragmentLayer {
        IPv6FragmentLayer(fragment: FragmentPosition(offset: 0, moreFollow: false))
    }
}

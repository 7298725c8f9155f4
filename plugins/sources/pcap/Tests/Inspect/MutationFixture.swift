import SondeTestKit

/// Capture files of a few packets, for tests that run once for every byte.
enum MutationFixture {
    static let small: [InspectFixture] = [
        InspectFixture("connection", connection),
        InspectFixture("names", names),
        InspectFixture("names over TCP", linkType: 101, stream),
        InspectFixture("blocks", blocks),
        InspectFixture("extensions and tags", layers),
    ]

    private static let connection = Array(Exchange.connection().prefix(4))
    private static let names = [
        Exchange.frame([EthernetLayer()], false, true, UDPLayer(40_000, 53), Exchange.query),
        Exchange.frame([EthernetLayer()], false, false, UDPLayer(53, 40_000), Exchange.response),
    ]

    /// A query in two segments that come in the wrong order, and its answer.
    private static let stream: [[UInt8]] = {
        let query = DNSMessageBuilder.number(UInt16(Exchange.query.count)) + Exchange.query
        let response = DNSMessageBuilder.number(UInt16(Exchange.response.count)) + Exchange.response
        func segment(_ isClient: Bool, _ sequence: UInt32, _ flags: UInt8, _ data: [UInt8]) -> [UInt8] {
            var tcp = isClient ? TCPLayer(40_000, 53, flags: flags) : TCPLayer(53, 40_000, flags: flags)
            tcp.sequence = sequence
            return Exchange.frame([], false, isClient, tcp, data)
        }
        return [
            segment(true, 99, 2, []), segment(true, 110, 0x18, Array(query[10...])),
            segment(true, 100, 0x18, Array(query[..<10])), segment(false, 500, 0x19, response),
        ]
    }()

    private static let blocks: [UInt8] = {
        var file = CaptureFileBuilder(
            .pcapng, order: .big,
            interfaces: [CaptureInterface(resolution: 9), CaptureInterface(linkType: 113, resolution: 0x94)]
        )
        for frame in names { file.add(frame) }
        file.add(Exchange.frame([LinuxCookedLayer(.one)], true, true, ICMPLayer(.ipv6), [1]), interface: 1)
        file.frames[1].block = .simple
        return file.bytes
    }()

    private static let layers: [[UInt8]] = [
        PacketBuilder([EthernetLayer(), VLANLayer(7), IPv6Layer(), IPv6ExtensionLayer(60), UDPLayer()]).bytes,
        PacketBuilder([EthernetLayer(), MPLSLayer([16]), IPv4Layer(), SCTPLayer()]).bytes,
        PacketBuilder([EthernetLayer(), PPPoELayer(), PPPLayer(), IPv4Layer(), TCPLayer()]).bytes,
    ]
}

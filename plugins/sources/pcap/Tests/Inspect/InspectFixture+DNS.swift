import SondeTestKit

extension InspectFixture {
    /// DNS in all its shapes, and what only looks like it.
    static let names: [InspectFixture] = [
        InspectFixture("codes and types", timed: codesAndTypes),
        InspectFixture("transactions", timed: transactions),
        InspectFixture("DNS over TCP", timed: streams),
        InspectFixture("multicast DNS and LLMNR", timed: neighbours),
        InspectFixture("broken messages", timed: broken),
    ]

    /// What carries other packets, or quotes them: the outermost IP header counts.
    static let tunnels: [InspectFixture] = [
        InspectFixture("tunnels", tunnelled),
        InspectFixture("ICMP errors", quoted),
    ]

    private static func ask(_ message: [UInt8], port: UInt16 = 40_000) -> [UInt8] {
        Exchange.frame([EthernetLayer()], false, true, UDPLayer(port, 53), message)
    }

    private static func answer(_ message: [UInt8], port: UInt16 = 40_000) -> [UInt8] {
        Exchange.frame([EthernetLayer()], false, false, UDPLayer(53, port), message)
    }

    private static let codesAndTypes: [(at: UInt64, bytes: [UInt8])] = {
        let types: [UInt16] = [1, 28, 65, 255, 257, 65_280, 2, 6, 12, 15, 16, 33, 43]
        // NOERROR to DSOTYPENI, one without a name, and with EDNS BADVERS and BADCOOKIE.
        let codes: [UInt16] = [0, 3, 2, 5, 12, 16, 23, 0, 1, 4, 9, 11, 3]
        return zip(types, codes).enumerated().flatMap { index, pair -> [(at: UInt64, bytes: [UInt8])] in
            let (type, code) = pair
            let id = UInt16(index)
            let query = DNSMessageBuilder(id: id).asking("n\(index).example.org", type: type).withEDNS()
            let response = DNSMessageBuilder(id: id, flags: 0x8180 | code & 15).asking(
                "N\(index).Example.org", type: type
            )
            .withEDNS(timeToLive: UInt32(code >> 4) << 24)
            let at = UInt64(index) * 20
            return [(at, ask(query.bytes)), (at + UInt64(index) + 1, answer(response.bytes))]
        }
    }()

    private static let transactions: [(at: UInt64, bytes: [UInt8])] = {
        func query(_ id: UInt16, _ name: String = "a.example.org") -> [UInt8] {
            DNSMessageBuilder(id: id).asking(name).bytes
        }
        func response(_ id: UInt16, _ name: String = "a.example.org") -> [UInt8] {
            DNSMessageBuilder(id: id, flags: 0x8183).asking(name).bytes
        }
        return [
            // Queried three times in another case, answered twice.
            (0, ask(query(1))), (1000, ask(query(1, "A.EXAMPLE.org"))), (2000, ask(query(1))),
            (2500, answer(response(1))),
            (2501, answer(response(1))),
            // Never answered.
            (3000, ask(query(2))),
            // Answered after a minute and more.
            (3100, ask(query(3))),
            // The same id and ports, another question: both are open at once.
            (3200, ask(query(4))), (3201, ask(query(4, "b.example.org"))), (3210, answer(response(4, "b.example.org"))),
            (3250, answer(response(4))),
            // The same again after more than 5 s is another transaction.
            (4000, ask(query(5))), (9001, ask(query(5))), (9002, answer(response(5))),
            // Without a query.
            (9100, answer(response(6))),
            // A response without a question.
            (9200, ask(query(7))), (9207, answer(DNSMessageBuilder(id: 7, flags: 0x8181).bytes)),
            // Two questions.
            (9300, ask(DNSMessageBuilder(id: 8).asking("a.example.org").asking("b.example.org", type: 28).bytes)),
            // NOTIFY and UPDATE are DNS too.
            (9400, ask(DNSMessageBuilder(id: 9, flags: 0x2400).asking("example.org", type: 6).bytes)),
            (9401, answer(DNSMessageBuilder(id: 9, flags: 0xa400).asking("example.org", type: 6).bytes)),
            (9500, ask(DNSMessageBuilder(id: 10, flags: 0x2800).asking("example.org", type: 6).bytes)),
            (80_000, answer(response(3))),
        ]
    }()

    private static let streams: [(at: UInt64, bytes: [UInt8])] = {
        var next: (client: UInt32, server: UInt32) = (1000, 2000)
        func segment(_ isClient: Bool, _ flags: UInt8, _ data: [UInt8] = []) -> [UInt8] {
            var tcp = isClient ? TCPLayer(40_000, 53, flags: flags) : TCPLayer(53, 40_000, flags: flags)
            tcp.sequence = isClient ? next.client : next.server
            tcp.acknowledgement = flags & 0x10 == 0 ? 0 : isClient ? next.server : next.client
            let length = UInt32(data.count) + (flags & 3 == 0 ? 0 : 1)
            if isClient { next.client += length } else { next.server += length }
            return Exchange.frame([EthernetLayer()], false, isClient, tcp, data)
        }
        func framed(_ message: DNSMessageBuilder) -> [UInt8] {
            DNSMessageBuilder.number(UInt16(message.bytes.count)) + message.bytes
        }
        func query(_ id: UInt16, _ type: UInt16) -> [UInt8] {
            framed(DNSMessageBuilder(id: id).asking("tcp.example.org", type: type))
        }
        func response(_ id: UInt16, _ type: UInt16, _ code: UInt16) -> [UInt8] {
            framed(
                DNSMessageBuilder(id: id, flags: 0x8180 | code).asking("tcp.example.org", type: type)
                    .answering(type: 16, data: [100] + [UInt8](repeating: 0x61, count: 100)))
        }
        let long = response(1, 252, 0)
        return [
            (0, segment(true, 2)), (1, segment(false, 0x12)), (2, segment(true, 0x10)),
            (3, segment(true, 0x18, query(1, 252))), (4, segment(false, 0x10)),
            // One message in three segments.
            (5, segment(false, 0x10, Array(long[..<1]))), (6, segment(false, 0x10, Array(long[1..<50]))),
            (7, segment(false, 0x18, Array(long[50...]))), (8, segment(true, 0x10)),
            // Two messages in one segment, in both directions.
            (9, segment(true, 0x18, query(2, 1) + query(3, 28))), (10, segment(false, 0x10)),
            (11, segment(false, 0x18, response(3, 28, 3) + response(2, 1, 2))),
            (12, segment(true, 0x11)), (13, segment(false, 0x11)), (14, segment(true, 0x10)),
        ]
    }()

    private static let neighbours: [(at: UInt64, bytes: [UInt8])] = [
        (0, udp(5353, 5353, DNSMessageBuilder(id: 0, flags: 0).asking("host.local").bytes)),
        (
            1,
            udp(
                5353, 5353,
                DNSMessageBuilder(id: 0, flags: 0x8400).answering(type: 1, data: [1, 2, 3, 4], owner: [0]).bytes)
        ),
        (2, udp(50_000, 5355, DNSMessageBuilder(id: 77, flags: 0).asking("host").bytes)),
        (3, udp(5355, 50_000, DNSMessageBuilder(id: 77, flags: 0x8000).asking("host").bytes)),
        (4, udp(40_000, 53, Exchange.query)),
    ]

    private static func udp(_ source: UInt16, _ destination: UInt16, _ message: [UInt8]) -> [UInt8] {
        Exchange.frame([EthernetLayer()], false, true, UDPLayer(source, destination), message)
    }

    /// Only what tshark takes for malformed as well.
    private static let broken: [(at: UInt64, bytes: [UInt8])] = [
        (0, ask([0, 1, 1, 0, 0, 1])),
        (1, ask(Exchange.query)),
    ]

    private static let tunnelled: [[UInt8]] = {
        let inner: [any PacketLayer] = [IPv4Layer([10, 0, 0, 1], [10, 0, 0, 2]), UDPLayer(40_000, 53)]
        let six: [any PacketLayer] = [IPv6Layer(), UDPLayer(40_000, 53)]
        let ethernet = PacketBuilder([EthernetLayer()] + inner, payload: Exchange.query).bytes
        func outer(_ layers: [any PacketLayer], _ payload: [UInt8], _ number: UInt8 = 253) -> [UInt8] {
            PacketBuilder([EthernetLayer()] + layers, payload: payload, payloadNumber: LayerNumber(ipProtocol: number))
                .bytes
        }
        return [
            outer([IPv4Layer()] + inner, Exchange.query), outer([IPv4Layer()] + six, Exchange.query),
            outer([IPv6Layer()] + inner, Exchange.query),
            // GRE, then VXLAN.
            outer([IPv4Layer()], [0, 0, 8, 0] + PacketBuilder(inner, payload: Exchange.query).bytes, 47),
            outer([IPv4Layer(), UDPLayer(40_000, 4789)], [8, 0, 0, 0, 0, 0, 1, 0] + ethernet),
        ]
    }()

    private static let quoted: [[UInt8]] = [
        PacketBuilder(
            [EthernetLayer(), IPv4Layer(), ICMPLayer(.ipv4, type: 3, code: 3)],
            payload: PacketBuilder([IPv4Layer(), UDPLayer(40_000, 53)], payload: Exchange.query).bytes
        ).bytes,
        PacketBuilder(
            [EthernetLayer(), IPv6Layer(), ICMPLayer(.ipv6, type: 1, code: 4)],
            payload: PacketBuilder([IPv6Layer(), TCPLayer(40_000, 443, flags: 2)]).bytes
        ).bytes,
    ]
}

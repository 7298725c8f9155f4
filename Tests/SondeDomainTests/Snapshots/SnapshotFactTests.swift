import SondeDomain
import Testing

@Suite struct SnapshotFactTests {
    private static let interface = "network.interface.name"
    private static let io = "sonde.capture.received.io"
    private static let packets = "sonde.capture.received.count"

    private func fact(_ name: String, _ attributes: [String: String]) -> SnapshotFact? {
        SnapshotFact(
            Series(
                id: SeriesID(rawValue: 1), source: "s", name: name, kind: .counter, unit: "",
                attributes: attributes.map { Attribute($0.key, $0.value) }))
    }

    @Test(
        arguments: [
            ("sonde.network.uplink", [interface: "eth0"], .uplink("eth0")),
            ("sonde.network.namespace", ["sonde.netns": "self"], .namespace(.init(name: "self", inode: nil))),
            (
                "sonde.network.namespace", ["sonde.netns": "web", "sonde.netns.id": "42"],
                .namespace(.init(name: "web", inode: 42))
            ),
            ("sonde.network.host.rate.step", [:], .peakStep(nil)),
            ("sonde.network.interface.rate.step", ["network.interface.name": "eth0"], .peakStep("eth0")),
            (io, [interface: "eth0", "sonde.counted_by": "kernel"], .received(ReceivedCount("eth0", .kernel, .bytes))),
            (
                packets, [interface: "eth0", "sonde.counted_by": "capture"],
                .received(ReceivedCount("eth0", .capture, .packets))
            ),
            ("sonde.capture.filtered", [:], .captureFiltered),
            ("sonde.capture.active", [interface: "eth0"], .captureActive("eth0")),
            ("sonde.capture.packet.dropped", [:], .captureDrops),
            (
                "sonde.drop.packet.count", ["sonde.drop.reason": "no_socket", "network.type": "ipv4"],
                .dropReason("no_socket")
            ),
            ("sonde.drop.packet.count", ["sonde.drop.reason": "no_socket", "network.type": "none"], .dropSource),
            ("sonde.trace.tcp.handshake.count", [:], .dropSource),
            ("sonde.udp.datagram.error", ["error.type": "rcvbuf"], .dropCounter(.udpReceive)),
            ("sonde.tcp.listen.overflow", [:], .dropCounter(.listen)),
            ("system.network.packet.dropped", [interface: "eth0"], .dropCounter(.interface)),
            ("sonde.dns.wire.query.count", ["sonde.dns.role": "server"], .dns(.wire)),
            ("sonde.dns.resolver.query.count", [:], .logQueries(isEncrypted: false)),
            ("sonde.dns.resolver.query.count", ["network.transport": "tcp"], .logQueries(isEncrypted: false)),
            ("sonde.dns.resolver.query.count", ["network.transport": "dot"], .logQueries(isEncrypted: true)),
            (
                "sonde.dns.wire.server.query.count", ["server.address": "10.0.0.1", "server.port": "53"],
                .serverQueries(NameServer("10.0.0.1", port: 53))
            ),
            (
                "sonde.dns.resolver.address", ["server.address": "::", "server.port": "5353"],
                .resolver(NameServer("::", port: 5353))
            ),
        ] as [(String, [String: String], SnapshotFact)])
    func aSeriesTellsAFact(_ name: String, _ attributes: [String: String], _ expected: SnapshotFact) {
        #expect(fact(name, attributes) == expected)
    }

    @Test(
        arguments: [
            ("sonde.network.uplink", [:]), ("sonde.network.namespace", ["sonde.netns.id": "42"]),
            ("sonde.network.interface.rate.step", [:]),
            (io, [interface: "eth0"]), (io, ["sonde.counted_by": "kernel"]),
            (packets, [interface: "eth0", "sonde.counted_by": "nobody"]), ("sonde.capture.active", [:]),
            ("sonde.dns.resolver.address", ["server.address": "10.0.0.1"]),
            ("sonde.dns.resolver.address", ["server.address": "10.0.0.1", "server.port": "65536"]),
            ("system.network.io", [interface: "eth0"]), ("sonde.udp.datagram.error", ["error.type": "no_port"]),
        ] as [(String, [String: String])])
    func aSeriesWithoutWhatNamesItsFactTellsNone(_ name: String, _ attributes: [String: String]) {
        #expect(fact(name, attributes) == nil)
    }
}

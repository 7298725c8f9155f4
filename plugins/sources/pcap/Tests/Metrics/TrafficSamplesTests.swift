import SondeDomain
import SondePluginKit
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct TrafficSamplesTests {
    /// A connection with a handshake of 40 ms, 1,000 bytes and an end.
    private func connection(_ traffic: Traffic) {
        traffic.see(Frame.tcp(0x02, sequence: 100))
        traffic.see(Frame.tcp(0x12, sequence: 500, acknowledgement: 101, answers: true), at: 30)
        traffic.see(Frame.tcp(0x10, sequence: 101, acknowledgement: 501), at: 40)
        traffic.see(Frame.tcp(0x18, sequence: 101, acknowledgement: 501, payload: 1_000), at: 41)
        traffic.see(Frame.tcp(0x18, sequence: 101, acknowledgement: 501, payload: 1_000), at: 900)
        traffic.see(Frame.tcp(0x11, sequence: 501, acknowledgement: 1_101, answers: true), at: 950)
        traffic.see(Frame.tcp(0x11, sequence: 1_101, acknowledgement: 502), at: 951)
    }

    @Test func aConnectionIsToldWithItsHandshakeDirectionsAndEnd() throws {
        let traffic = try Traffic()
        connection(traffic)
        var samples = traffic.samples(at: 1_000)
        let cell = "network.io.direction=transmit,network.transport=tcp,network.type=ipv4,sonde.flow.app=https"
        #expect(samples["sonde.flow.packet.count{\(cell)}"] == .unsigned(5))
        #expect(samples["sonde.flow.io{\(cell)}"] == .unsigned(5 * 54 + 2_000))
        #expect(samples.sum("sonde.flow.packet.count") == 7)
        #expect(samples["sonde.flow.started"] == .unsigned(1))
        #expect(samples["sonde.flow.active"] == .unsigned(1))
        #expect(samples.series("sonde.flow.ended").isEmpty)
        #expect(samples["sonde.flow.tcp.segment.count"] == .unsigned(7))
        #expect(samples["sonde.flow.tcp.flag.count{sonde.tcp.flag=syn}"] == .unsigned(1))
        #expect(samples["sonde.flow.tcp.flag.count{sonde.tcp.flag=fin}"] == .unsigned(2))
        #expect(samples["sonde.flow.tcp.flag.count{sonde.tcp.flag=rst}"] == nil)
        #expect(samples.sum("sonde.flow.tcp.retransmission.count") == 1)
        #expect(histogram(samples["sonde.flow.tcp.handshake.duration"])?.sum == 0.04)
        #expect(histogram(samples["sonde.flow.tcp.acceptance.duration"])?.sum == 0.03)
        samples = traffic.samples(at: 10_000)
        #expect(samples["sonde.flow.ended{sonde.flow.end_reason=finished}"] == .unsigned(1))
        #expect(samples["sonde.flow.active"] == .unsigned(0))
        #expect(histogram(samples["sonde.flow.duration"])?.sum == 0.951)
        #expect(histogram(samples["sonde.flow.size"])?.sum == Double(traffic.bytes))
    }

    @Test func everyPacketIsInTheSumsOnce() throws {
        let traffic = try Traffic()
        connection(traffic)
        traffic.see(Frame.udp())
        traffic.see(Frame.udp([203, 0, 113, 1], Frame.other))
        traffic.see(PacketBuilder([EthernetLayer(), IPv6Layer(), ICMPLayer(.ipv6)]).bytes)
        traffic.see(PacketBuilder([EthernetLayer(), ARPLayer()]).bytes)
        let fragmented = PacketBuilder(
            [EthernetLayer(), IPv4Layer(), UDPLayer()], payload: Array(repeating: 1, count: 100))
        for piece in fragmented.fragments(of: 64) { traffic.see(piece) }
        traffic.see(Array(Frame.udp().prefix(30)))
        let samples = traffic.samples()
        #expect(samples.sum("sonde.frame.count") == traffic.packets)
        #expect(samples.sum("sonde.frame.io") == traffic.bytes)
        let unassigned = samples.sum("sonde.flow.unassigned.count")
        #expect(unassigned == 2)
        #expect(samples.sum("sonde.flow.packet.count") + unassigned == traffic.packets)
        #expect(samples["sonde.frame.fragment.count"] == .unsigned(2))
        #expect(samples.sum("sonde.frame.truncated.count") + samples.sum("sonde.frame.malformed.count") == 1)
        #expect(samples["sonde.frame.count{network.type=ipv6}"] == .unsigned(1))
        for metric in ["peer", "service", "conversation"] {
            #expect(samples.sum("sonde.flow.top.\(metric).interval.io") == samples.sum("sonde.flow.io"))
        }
    }

    @Test func dnsIsToldByRoleTypeAndCode() throws {
        let traffic = try Traffic(["dns_timeout": .duration(.seconds(5))])
        traffic.see(Frame.dns("a.example", id: 1))
        traffic.see(Frame.dns("a.example", id: 1, code: 0), at: 20)
        traffic.see(Frame.dns("b.example", id: 2, type: 28, client: Frame.other, server: Frame.own))
        traffic.see(Frame.dns("b.example", id: 2, type: 28, code: 3, client: Frame.other, server: Frame.own), at: 1)
        traffic.see(Frame.dns("c.example", id: 3, type: 65_280))
        traffic.see(Frame.dns("c.example", id: 3, type: 65_280), at: 50)
        traffic.see(Frame.dns("d.example", id: 4, code: 2))
        var samples = traffic.samples(at: 1_000)
        let client = "network.transport=udp,network.type=ipv4"
        let role = "sonde.dns.role"
        #expect(samples["sonde.dns.wire.query.count{\(client),sonde.dns.opcode=QUERY,\(role)=client}"] == .unsigned(3))
        #expect(samples["sonde.dns.wire.query.count{\(client),sonde.dns.opcode=QUERY,\(role)=server}"] == .unsigned(1))
        #expect(
            samples["sonde.dns.wire.question.count{\(client),sonde.dns.qtype=other,\(role)=client}"] == .unsigned(2))
        #expect(samples["sonde.dns.wire.question.count{\(client),sonde.dns.qtype=AAAA,\(role)=server}"] == .unsigned(1))
        #expect(
            samples["sonde.dns.wire.response.count{\(client),sonde.dns.rcode=NXDOMAIN,\(role)=server}"] == .unsigned(1))
        #expect(samples["sonde.dns.wire.response.unsolicited{\(client),\(role)=client}"] == .unsigned(1))
        #expect(samples["sonde.dns.wire.query.repeated{\(client),\(role)=client}"] == .unsigned(1))
        #expect(samples["sonde.dns.wire.query.answered{\(client),\(role)=client}"] == .unsigned(1))
        #expect(samples.series("sonde.dns.wire.query.unanswered").isEmpty)
        #expect(histogram(samples["sonde.dns.wire.response.duration{\(client),\(role)=client}"])?.sum == 0.02)
        #expect(samples["sonde.dns.wire.name.distinct"] == .unsigned(3))
        #expect(samples["sonde.dns.wire.client.distinct"] == .unsigned(2))
        samples = traffic.samples(at: 7_000)
        #expect(samples["sonde.dns.wire.query.unanswered{\(client),\(role)=client}"] == .unsigned(1))
        #expect(samples["sonde.dns.wire.name.distinct"] == .unsigned(0))
    }

    @Test func multicastAndLinkLocalNamesAreApart() throws {
        let traffic = try Traffic()
        let query = DNSMessageBuilder().asking("printer.local").bytes
        traffic.see(Frame.udp(Frame.own, [224, 0, 0, 251], ports: (5_353, 5_353), payload: query))
        traffic.see(Frame.udp(Frame.own, [224, 0, 0, 252], ports: (40_000, 5_355), payload: query))
        let samples = traffic.samples()
        #expect(samples["sonde.dns.wire.local.query.count{sonde.dns.service=mdns}"] == .unsigned(1))
        #expect(samples["sonde.dns.wire.local.query.count{sonde.dns.service=llmnr}"] == .unsigned(1))
        #expect(samples.sum("sonde.dns.wire.query.count") == 0)
    }

    @Test func aMessageThatDoesNotDecodeIsCounted() throws {
        let traffic = try Traffic(["dns_ports": .list(["5300"])])
        traffic.see(Frame.udp(ports: (40_000, 5_300), payload: [UInt8](repeating: 0xff, count: 40)))
        traffic.see(Frame.udp(ports: (40_000, 53), payload: [UInt8](repeating: 0xff, count: 40)))
        #expect(traffic.samples()["sonde.dns.wire.message.malformed"] == .unsigned(1))
    }

    @Test(arguments: ["flows", "dns"])
    func whatIsSwitchedOffHasNoSeries(_ option: String) throws {
        let traffic = try Traffic([option: .bool(false)])
        connection(traffic)
        traffic.see(Frame.dns("a.example", id: 1))
        let samples = traffic.samples()
        let prefix = option == "flows" ? "sonde.flow." : "sonde.dns."
        #expect(samples.keys.filter { $0.hasPrefix(prefix) }.isEmpty)
        #expect(samples.sum("sonde.frame.count") == 8)
    }

    @Test func withNeitherNothingIsDecoded() throws {
        let traffic = try Traffic(["flows": .bool(false), "dns": .bool(false)])
        connection(traffic)
        #expect(traffic.samples().isEmpty)
    }

    @Test func everyNameIsInTheCatalogWithItsAttributesAndUnit() throws {
        let traffic = try Traffic()
        connection(traffic)
        for id in UInt16(1)...20 {
            traffic.see(Frame.dns("n\(id).example", id: id))
            traffic.see(Frame.dns("n\(id).example", id: id, code: id % 2 == 0 ? 0 : 3))
        }
        _ = traffic.samples(at: 20_000)
        let catalog = Dictionary(uniqueKeysWithValues: PcapSource.metrics.map { ($0.name, $0) })
        #expect(traffic.fake.series.count > 60)
        for opened in traffic.fake.series.map(\.specification) {
            let metric = try #require(catalog[opened.name])
            #expect(metric.unit == opened.unit && metric.kind == opened.kind)
            #expect(Set(metric.attributes).isSuperset(of: opened.attributes.map(\.name)))
            let isCumulative = metric.kind == .counter || metric.kind == .histogram
            #expect((opened.start != nil) == isCumulative)
        }
    }

    @Test(arguments: [
        ("dns_ports", FakeHost.Option.list(["53", "70000"])), ("dns_ports", .list(["0"])),
        ("dns_ports", .list(["dns"])),
    ])
    func aPortThatIsNoneIsRefusedWithItsPlace(_ name: String, _ option: FakeHost.Option) throws {
        let error = #expect(throws: PluginError.self) { _ = try Traffic([name: option]) }
        #expect(error?.code == "SND-PCP001")
        #expect(error?.optionPath.hasPrefix("dns_ports[") == true)
    }

    private func histogram(_ value: SampleValue?) -> HistogramValue? {
        guard case .histogram(let histogram)? = value else { return nil }
        return histogram
    }
}

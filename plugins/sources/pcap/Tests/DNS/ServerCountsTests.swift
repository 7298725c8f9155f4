import SondeDomain
import SondeWire
import Testing

@testable import PcapPlugin

/// To which address and port of this host queries were sent.
@Suite struct ServerCountsTests {
    private static let metric = "sonde.dns.wire.server.query.count"

    @Test func queriesAreCountedByTheServerTheyWereSentTo() throws {
        let second = IPAddress(ipv4: 0xc000_0209)
        let traffic = try Traffic(host: [.here, second])
        for id in 0..<5 { traffic.see(Frame.dns("a.example", id: UInt16(id), client: Frame.other, server: Frame.own)) }
        for id in 0..<3 {
            traffic.see(Frame.dns("b.example", id: UInt16(id), client: Frame.other, server: [192, 0, 2, 9]))
        }
        // Queries of this host to others are not counted.
        for id in 0..<4 { traffic.see(Frame.dns("c.example", id: UInt16(id))) }
        let samples = traffic.samples()
        #expect(samples["\(Self.metric){server.address=192.0.2.1,server.port=53}"] == .unsigned(5))
        #expect(samples["\(Self.metric){server.address=192.0.2.9,server.port=53}"] == .unsigned(3))
        #expect(samples.series(Self.metric).count == 2)
    }

    @Test func portsOfStrangersAreNotToldApart() {
        var counts = ServerCounts(ports: [53, 5_300])
        for port in UInt16(1)...2_000 { counts.add(.here, port: port) }
        #expect(counts.servers.map(\.port) == [53])
        #expect(counts.others == 1_999)
    }

    @Test func serversAreBounded() {
        var counts = ServerCounts(ports: [53])
        for number in UInt32(0)..<200 {
            for _ in 0..<2 { counts.add(IPAddress(ipv4: number), port: 53) }
        }
        #expect(counts.servers.count == ServerCounts.bound)
        #expect(counts.servers.allSatisfy { $0.queries == 2 })
        #expect(counts.others == UInt64(200 - ServerCounts.bound) * 2)
    }
}

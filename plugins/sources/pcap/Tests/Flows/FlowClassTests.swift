import SondeDomain
import SondeTestKit
import SondeWire
import Testing

@testable import PcapPlugin

@Suite struct FlowClassTests {
    typealias End = TrafficUnderTest.End

    /// The place that a packet was counted in.
    private func cell(_ host: [IPAddress], _ send: (TrafficUnderTest) -> Void) throws -> FlowCell {
        let traffic = TrafficUnderTest(host: host)
        send(traffic)
        return try #require(traffic.totals.places.first)
    }

    @Test func everyPlaceHasItsOwnNumber() {
        #expect(FlowCell.all.map { Int($0.index) } == Array(0..<FlowCell.count))
        #expect(Set(FlowCell.all).count == FlowCell.count)
    }

    @Test func theDirectionComesFromTheHostsAddresses() throws {
        let (own, also) = (End(1, 5000).address, End(3, 5000).address)
        let here = End(1, 5000)
        #expect(try cell([own]) { $0.datagram(here, End(2, 80)) }.direction == .transmit)
        #expect(try cell([own]) { $0.datagram(End(2, 80), here) }.direction == .receive)
        #expect(try cell([own]) { $0.datagram(End(2, 80), End(4, 80)) }.direction == .forwarded)
        #expect(try cell([own, also]) { $0.datagram(here, End(3, 80)) }.direction == .local)
        #expect(try cell([]) { $0.datagram(here, End(3, 80)) }.direction == .unknown)
        var group = End(0, 1)
        group.address = IPAddress(ipv4: 0xe000_00fb)
        #expect(try cell([own]) { $0.datagram(End(2, 80), group) }.direction == .receive)
        let host = HostAddresses([own], broadcasts: [also])
        #expect(FlowDirection(from: End(2, 80).address, to: also, host) == .receive)
        #expect(FlowDirection(from: End(2, 80).address, to: End(4, 80).address, host) == .forwarded)
    }

    @Test func theServiceIsWhereTheSYNGoes() throws {
        let odd = End(2, 60_000)
        let low = End(1, 22)
        #expect(try cell([]) { $0.segment(.syn, from: low, to: odd) }.service == .other)
        #expect(try cell([]) { $0.segment([.syn, .ack], from: odd, to: low) }.service == .other)
        #expect(try cell([]) { $0.segment(.ack, from: low, to: odd) }.service.name == "ssh")
    }

    @Test func theServiceIsTheKnownPortOrElseTheLowerOne() throws {
        #expect(try cell([]) { $0.datagram(End(1, 300), End(2, 443)) }.service.name == "https")
        #expect(try cell([]) { $0.datagram(End(1, 300), End(2, 301)) }.service == .other)
        #expect(try cell([]) { $0.datagram(End(1, 53), End(2, 443)) }.service.name == "dns")
        let key = FlowKey.of(.between(End(1, 300), End(2, 301), .udp)).key
        #expect(FlowService.server(of: key, sender: .high) == .low)
        let same = FlowKey.of(.between(End(1, 300), End(2, 300), .udp)).key
        #expect(FlowService.server(of: same, sender: .high) == .low)
        #expect(FlowService.server(of: same, sender: .low) == .high)
    }

    @Test func namesOfServicesAreDifferent() {
        let names = (0..<FlowService.count).map { FlowService(place: $0).name }
        #expect(names.first == .some(nil))
        #expect(Set(names).count == FlowService.count)
    }

    @Test(
        arguments: [
            (0, 0), (1, 0), (256, 0), (257, 1), (1024, 1), (1025, 2), (4_294_967_296, 12), (4_294_967_297, 13),
            (UInt64.max, 13),
        ] as [(UInt64, Int)])
    func sizesAreCountedBelowTheirBound(_ bytes: UInt64, _ bucket: Int) throws {
        var histogram = SizeHistogram()
        histogram.record(bytes)
        let snapshot = histogram.snapshot
        let value = try #require(snapshot)
        #expect(value.counts.firstIndex(of: 1) == bucket && value.count == 1)
        if bucket < 13 { #expect(Double(bytes) <= value.bounds[bucket]) }
        if bucket > 0 { #expect(Double(bytes) > value.bounds[bucket - 1]) }
    }
}

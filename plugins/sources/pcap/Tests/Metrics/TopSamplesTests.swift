import SondeDomain
import SondePluginKit
import SondeTestKit
import Testing

@testable import PcapPlugin

@Suite struct TopSamplesTests {
    private let peers = "sonde.flow.top.peer.interval.io"
    private let names = "sonde.dns.wire.top.name.interval.queries"

    private func busy(_ traffic: Traffic, from first: UInt8 = 1, count: Int = 5, at time: Int64 = 0) {
        for host in 0..<count {
            let address: [UInt8] = [198, 51, 100, first + UInt8(host)]
            traffic.see(Frame.udp(Frame.own, address, payload: Array(repeating: 0, count: 100 * (host + 1))), at: time)
        }
    }

    @Test func theHeaviestKeysAndTheRestAreTheTotal() throws {
        let traffic = try Traffic(["top": .integer(2)])
        busy(traffic)
        let samples = traffic.samples()
        #expect(
            samples.series(peers) == [
                "{network.peer.address=198.51.100.5}", "{network.peer.address=198.51.100.4}", "{sonde.top=other}",
            ]
        )
        #expect(samples[peers + "{network.peer.address=198.51.100.5}"] == .unsigned(542))
        #expect(samples[peers + "{sonde.top=other}"] == .unsigned(142 + 242 + 342))
        #expect(samples.sum(peers) == traffic.bytes)
    }

    @Test func eachIntervalHasItsOwnAndWhatLeftIsClosed() throws {
        let traffic = try Traffic(["top": .integer(2)])
        busy(traffic)
        _ = traffic.samples()
        let before = traffic.bytes
        busy(traffic, from: 100, count: 1, at: 200)
        let samples = traffic.samples(at: 300)
        #expect(samples.series(peers) == ["{network.peer.address=198.51.100.100}", "{sonde.top=other}"])
        #expect(samples.sum(peers) == traffic.bytes - before)
        let open = traffic.fake.series.filter { $0.isOpen && $0.specification.name == peers }
        #expect(open.count == 2)
    }

    @Test func anIntervalThatTheAgentDidNotTakeIsInTheNextOne() throws {
        let traffic = try Traffic(["top": .integer(10)])
        traffic.fake.commitAnswers = [.busy]
        busy(traffic)
        _ = traffic.samples()
        busy(traffic, from: 50, at: 200)
        #expect(traffic.samples(at: 300).sum(peers) == traffic.bytes)
        #expect(traffic.samples(at: 400).sum(peers) == 0)
    }

    /// Series come and go with keys, and no more are open than the top has.
    @Test func manyIntervalsOfNewKeysLeaveNoSeriesBehind() throws {
        let traffic = try Traffic(["top": .integer(5)])
        for round in Int64(0)..<200 {
            busy(traffic, from: UInt8(round), at: round * 10)
            _ = traffic.samples(at: round * 10)
        }
        #expect(traffic.fake.series.filter(\.isOpen).count < 100)
    }

    @Test(arguments: [
        ("full", "{sonde.dns.name=www.a.example}", "{client.address=192.0.2.1}"),
        ("domain", "{sonde.dns.name=a.example}", "{client.address=192.0.2.0/24}"),
    ])
    func namesAndClientsAreToldAsPrivacyHasIt(_ privacy: String, _ name: String, _ client: String) throws {
        let traffic = try Traffic(["privacy": .string(privacy), "top": .integer(5)])
        traffic.see(Frame.dns("www.a.example", id: 1))
        traffic.see(Frame.dns("www.a.example", id: 1, code: 3))
        let samples = traffic.samples()
        #expect(samples[names + name] == .unsigned(1))
        #expect(samples["sonde.dns.wire.top.missing_name.interval.responses" + name] == .unsigned(1))
        #expect(samples["sonde.dns.wire.top.client.interval.queries" + client] == .unsigned(1))
    }

    @Test func networksTellWhatAllTheirHostsCameTo() throws {
        let traffic = try Traffic(["privacy": .string("domain"), "top": .integer(1)])
        busy(traffic)
        let samples = traffic.samples()
        #expect(samples[peers + "{network.peer.address=198.51.100.0/24}"] == .unsigned(traffic.bytes))
        #expect(samples[peers + "{sonde.top=other}"] == .unsigned(0))
    }

    @Test func hashesTellNothingButEquality() throws {
        let traffic = try Traffic(["privacy": .string("hashed"), "top": .integer(5)])
        traffic.see(Frame.dns("www.a.example", id: 1))
        traffic.see(Frame.dns("www.a.example", id: 2))
        traffic.see(Frame.dns("www.b.example", id: 3))
        let samples = traffic.samples()
        #expect(samples.series(names).count == 3)
        #expect(samples.sum(names) == 3)
        for key in samples.keys {
            #expect(!key.contains("example") && !key.contains("192.0.2") && !key.contains("198.51"))
        }
    }

    @Test func withNoPrivacyOnlyServicesAreTold() throws {
        let traffic = try Traffic(["privacy": .string("none"), "top": .integer(5)])
        busy(traffic)
        traffic.see(Frame.dns("www.a.example", id: 1))
        let samples = traffic.samples()
        #expect(
            samples.keys.filter { $0.contains(".top.") && !$0.hasPrefix("sonde.flow.top.service.interval.io") }.isEmpty)
        #expect(samples.sum("sonde.flow.top.service.interval.io") == traffic.bytes)
        #expect(samples["sonde.dns.wire.name.distinct"] == .unsigned(1))
    }

    @Test func withoutTopThereIsNone() throws {
        let traffic = try Traffic(["top": .integer(0)])
        busy(traffic)
        traffic.see(Frame.dns("www.a.example", id: 1))
        #expect(traffic.samples().keys.filter { $0.contains(".top.") }.isEmpty)
    }

    @Test func aNameThatIsCalledOtherIsNotTheRest() throws {
        let traffic = try Traffic(["top": .integer(1)])
        traffic.see(Frame.dns("other", id: 1))
        traffic.see(Frame.dns("other", id: 2))
        traffic.see(Frame.dns("b.example", id: 3))
        let samples = traffic.samples()
        #expect(samples[names + "{sonde.dns.name=other}"] == .unsigned(2))
        #expect(samples[names + "{sonde.top=other}"] == .unsigned(1))
    }
}
